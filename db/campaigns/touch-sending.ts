import { type SqlBool, sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
import { membership } from './leaving.ts'
import { findTouch, type TouchRow } from './touches.ts'

// What forbids a campaign letter, and what puts it off.

const refusals = {
  unsubscribed: 'unsubscribed',
  bounced: 'bounced',
  suppressed: 'suppressed',
  replied: 'replied',
  gone: 'left_segment',
} as const
type Refusals = Record<keyof typeof refusals, boolean>

/**
 * What forbids another letter to a person at any time. It is read under the person's lock, so that a reply stops a follow-up.
 */
export async function findRefusal(
  db: Db,
  touch: TouchRow,
  to: string | null,
): Promise<string | undefined> {
  if (to === null) return 'no_contact'
  const { rows } = await sql<Refusals>`
    with mine as (select value from addresses where person = ${touch.person} and kind = 'email'),
    first as (select min(sent_at) as at from touches
      where campaign = ${touch.campaign} and person = ${touch.person} and state = 'sent')
    select
      exists (select from suppressions s where s.workspace = ${touch.workspace} and s.reason = 'unsubscribe'
        and s.address in (select value from mine)) as unsubscribed,
      exists (select from suppressions s where s.workspace = ${touch.workspace} and s.reason = 'bounce'
        and s.address = ${to.toLowerCase()}) as bounced,
      exists (select from suppressions s where s.workspace = ${touch.workspace} and s.reason in ('complaint', 'operator')
        and s.address = ${to.toLowerCase()}) as suppressed,
      exists (select from first, conversations c join messages m on m.conversation = c.id
        where c.person = ${touch.person} and m.direction = 'inbound' and not m.automated
          and not m.suspect and m.at >= first.at)
      or exists (select from first, mine join messages m on lower(m.sender_handle) = mine.value
        where m.workspace = ${touch.workspace} and m.direction = 'inbound' and not m.automated
          and not m.suspect and m.at >= first.at) as replied,
      exists (select from touches t join campaigns c on c.id = t.campaign
        where t.id = ${touch.id} and c.segment is not null and ${membership} is not true) as gone`.execute(
    db,
  )
  const found = (Object.keys(refusals) as (keyof Refusals)[]).find((name) => rows[0]?.[name])
  return found && refusals[found]
}

/** The address a person's letters go to: the first e-mail of the card, or the one the thread began with. */
export async function findLetterAddress(db: Db, touch: TouchRow): Promise<string | null> {
  const row = await db
    .selectFrom('addresses')
    .select('given')
    .where('person', '=', touch.person)
    .where('kind', '=', 'email')
    .orderBy(sql`value = ${(touch.toAddress ?? '').toLowerCase()}`, 'desc')
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
  return row?.given ?? null
}

/** Whether a letter of any other campaign was claimed for this person on that day of the workspace. */
export async function isWrittenToOn(db: Db, touch: TouchRow, day: string): Promise<boolean> {
  const row = await db
    .selectFrom('touches')
    .select('id')
    .where('person', '=', touch.person)
    .where('claimedDay', '=', day)
    .where('id', '!=', touch.id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Locks the campaign against moves and answers whether this epoch may still claim. */
export async function mayClaim(trx: Trx, campaign: string, epoch: number): Promise<boolean> {
  const row = await trx
    .selectFrom('campaigns')
    .select(['state', 'runEpoch'])
    .where('id', '=', campaign)
    .forShare()
    .executeTakeFirst()
  return row?.state === 'running' && row.runEpoch === epoch
}

/** Locks the campaign against moves until the transaction ends, and answers its state. Lock it before the touch. */
export async function shareCampaign(trx: Trx, campaign: string) {
  const row = await trx
    .selectFrom('campaigns')
    .select('state')
    .where('id', '=', campaign)
    .forShare()
    .executeTakeFirstOrThrow()
  return row.state
}

/** The workflow that delivers the letter; it is started again under the same id. */
export const noteWorkflow = (db: Db, id: string, workflow: string) =>
  db.updateTable('touches').set({ workflow }).where('id', '=', id).execute()

/** Puts a queued letter off, e.g. to the next day if its person was written to today. */
export const postponeTouch = (trx: Db, id: string, dueAt: Date) =>
  trx
    .updateTable('touches')
    .set({ dueAt, heldFrom: null })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .execute()

export const reviewTouch = (trx: Db, id: string) =>
  trx
    .updateTable('touches')
    .set({ state: 'review' })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .execute()

/** Locks a touch's row until the transaction ends and reads it. */
export async function lockTouch(trx: Trx, id: string): Promise<TouchRow | undefined> {
  await sql<SqlBool>`select id from touches where id = ${id} for update`.execute(trx)
  return findTouch(trx, id)
}
