import { sql } from 'kysely'
import { unfitLevels } from '../../rules/budgets.ts'
import type { Db } from '../database.ts'
import { goesAt, planBatch, unwritten } from './touches.ts'

// The people that letters are from: the members whose accounts send them, and how they sign.

export type Signer = { member: string; name: string; jobTitle: string; signature: string }

/** The last lines of a letter: the signature of its member or, without one, the member's name and company. */
export const signatureOf = (
  signer: Pick<Signer, 'name' | 'signature'> | undefined,
  company: { name: string } | null,
): string => signer?.signature.trim() || [signer?.name, company?.name].filter(Boolean).join('\n')

/** The member that an account belongs to. */
export const findSigner = (db: Db, connection: string) =>
  db
    .selectFrom('connections')
    .innerJoin('members', 'members.id', 'connections.member')
    .select(['members.id as member', 'members.name', 'members.jobTitle', 'members.signature'])
    .where('connections.id', '=', connection)
    .executeTakeFirst()

/**
 * The e-mail accounts a campaign writes through, as listSenders returns them, each with its member. `isFit` means that letters
 * can go through it at the moment.
 */
export async function listSigners(db: Db, workspace: string, campaign: string) {
  const { rows } = await sql<Signer & { connection: string; isFit: boolean }>`
    select c.id as connection, m.id as member, m.name, m.job_title, m.signature,
      c.alive and not c.paused and c.problem is null and c.health <> all(${unfitLevels}::text[]) as is_fit
    from campaigns k left join agents a on a.id = k.agent
      join connections c on c.workspace = k.workspace and c.kind = 'email' and c.removed_at is null
      join members m on m.id = c.member
    where k.workspace = ${workspace} and k.id = ${campaign}
      and case when cardinality(k.senders) > 0 then c.id = any(k.senders)
        when cardinality(a.channels) > 0 then c.id = any(a.channels) else true end
    order by c.id`.execute(db)
  return rows
}

export const areOneMember = (signers: { member: string }[]): boolean =>
  new Set(signers.map(({ member }) => member)).size <= 1

/**
 * Binds a queued letter to an account, or to none. With `anew`, another member will sign it, so its text and its agreement are
 * dropped.
 */
export const bindTouch = (db: Db, touch: string, connection: string | null, anew: boolean) =>
  db
    .updateTable('touches')
    .set({
      connection,
      ...(anew && { ...unwritten, agreed: false }),
    })
    .where('id', '=', touch)
    .where('state', '=', 'queued')
    .execute()

/**
 * Frees due first letters of accounts through which campaigns may no longer write, one batch for each account, so that other
 * accounts send them; answers how many. Only the member that they are signed by binds them to the account.
 */
export async function releaseFirstLetters(
  db: Db,
  campaign: string,
  connections: string[],
  now: Date,
): Promise<number> {
  // In the order of touches_next, so that the query does not walk through the queue of the other accounts.
  const { numAffectedRows } = await sql`
    update touches set connection = null
    where state = 'queued' and id in (
      select t.id from unnest(${connections}::text[]) as account(id)
      cross join lateral (
        select id from touches
        where campaign = ${campaign} and place = 1 and state = 'queued' and conversation is null
          and coalesce(connection, '') = account.id and ${goesAt} <= ${now}
        order by ${goesAt}, id limit ${planBatch}) t)`.execute(db)
  return Number(numAffectedRows ?? 0)
}
