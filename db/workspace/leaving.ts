import { sql } from 'kysely'
import type { Db, Trx } from '../database.ts'

// What is a member's, and who takes it over when they leave. What they have written stays theirs: notes, tasks that have ended, and
// the lines of the audit log.

/** How much of each kind there is. */
export type Belongings = {
  conversations: number
  connections: number
  calendars: number
  meetings: number
  tasks: number
  routingRules: number
  webhooks: number
}

const own = (member: string) => `cal_${member}`

/**
 * So many conversations go to a successor by one transaction. It takes a fifth of a second; a hundred thousand at once would take
 * ten, in which nobody else could write to them.
 */
const conversationsAtOnce = 500

/** What is a member's, and how many mailboxes are being added for them at this moment. */
export async function countBelongings(
  trx: Trx,
  workspace: string,
  member: string,
  now: Date,
): Promise<Belongings & { verifications: number }> {
  const { rows } = await sql<Belongings & { verifications: number }>`
    select
      (select count(*)::int from conversations where workspace = ${workspace} and coalesce(owner, '') in (
        select id from members where workspace = ${workspace} and (id = ${member} or successor = ${member}))) as conversations,
      (select count(*)::int from connections where workspace = ${workspace} and member = ${member}
        and removed_at is null) as connections,
      (select count(*)::int from calendars where workspace = ${workspace} and member = ${member}) as calendars,
      (select count(*)::int from meetings where workspace = ${workspace} and ends_at >= ${now} and calendar = ${own(member)}
        and state = 'booked') as meetings,
      (select count(*)::int from tasks where workspace = ${workspace} and member = ${member} and state = 'queued') as tasks,
      (select count(*)::int from routing_rules where workspace = ${workspace} and member = ${member}) as "routingRules",
      (select count(*)::int from webhooks where workspace = ${workspace} and member = ${member}) as webhooks,
      (select count(*)::int from verifications where workspace = ${workspace} and ended_at is null
        and request ->> 'member' = ${member}) as verifications`.execute(trx)
  return rows[0] as Belongings & { verifications: number }
}

/** The accounts of a member, in the order of their ids. */
export const listConnectionsOf = (trx: Trx, workspace: string, member: string) =>
  trx
    .selectFrom('connections')
    .select(['id', 'kind'])
    .where('workspace', '=', workspace)
    .where('member', '=', member)
    .where('removedAt', 'is', null)
    .orderBy('id')
    .execute()

/**
 * Gives what is a member's to another one, except for accounts, which have a way of their own. Meetings that are over stay in the
 * calendar they were in, as do those that the other one has too. Of many conversations, most follow (`handOverRest`). Answers how much
 * it is.
 */
export async function handOver(
  trx: Trx,
  workspace: string,
  { from, to, now }: { from: string; to: string; now: Date },
): Promise<Omit<Belongings, 'connections'>> {
  const given = async (table: 'calendars' | 'routingRules' | 'webhooks') =>
    numberOf(
      await trx
        .updateTable(table)
        .set({ member: to })
        .where('workspace', '=', workspace)
        .where('member', '=', from)
        .executeTakeFirst(),
    )
  const routingRules = await given('routingRules')
  const webhooks = await given('webhooks')
  const calendars = await given('calendars')
  const meetings = await sql`
    update meetings set calendar = ${own(to)}
    where workspace = ${workspace} and ends_at >= ${now} and calendar = ${own(from)} and state = 'booked'
      and not exists (select from meetings theirs where theirs.workspace = ${workspace} and theirs.calendar = ${own(to)}
        and theirs.uid = meetings.uid and theirs.instance = meetings.instance)`.execute(trx)
  const { conversations } = await countBelongings(trx, workspace, from, now)
  await giveConversations(trx, workspace, { from, to })
  const tasks = await trx
    .updateTable('tasks')
    .set({ member: to })
    .where('workspace', '=', workspace)
    .where('member', '=', from)
    .where('state', '=', 'queued')
    .executeTakeFirst()
  return {
    conversations,
    calendars,
    meetings: Number(meetings.numAffectedRows ?? 0),
    tasks: numberOf(tasks),
    routingRules,
    webhooks,
  }
}

/** Gives some of the conversations of a member to another one; answers how many. */
async function giveConversations(
  trx: Trx,
  workspace: string,
  { from, to }: { from: string; to: string },
): Promise<number> {
  const { numAffectedRows } = await sql`
    with mine as (select id from conversations where workspace = ${workspace} and coalesce(owner, '') = ${from}
      order by id limit ${conversationsAtOnce} for no key update)
    update conversations set owner = ${to} from mine
    where conversations.workspace = ${workspace} and conversations.id = mine.id`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

/** How many transactions one run makes at most; the next one goes on. */
const mostTransactions = 500

/** Gives the conversations that members have left behind to those who have taken over, some at a time. */
export async function handOverRest(db: Db, beat: () => void) {
  const { rows } = await sql<{ workspace: string; from: string; to: string }>`
    select workspace, id as from, successor as to from members
    where successor is not null and left_at is not null and exists (
      select from conversations c where c.workspace = members.workspace and coalesce(c.owner, '') = members.id offset 0)`.execute(
    db,
  )
  let left = mostTransactions
  for (const { workspace, ...both } of rows)
    for (let given = conversationsAtOnce; given === conversationsAtOnce && left > 0; left--) {
      given = await db.transaction().execute((trx) => giveConversations(trx, workspace, both))
      beat()
    }
}

const numberOf = ({ numUpdatedRows }: { numUpdatedRows: bigint }) => Number(numUpdatedRows)

/**
 * Notes that a member has left: their tokens open nothing from now on, their links have ended, and whatever is still on its way to
 * them goes to `successor`. Answers how many tokens were revoked.
 */
export async function leave(
  trx: Trx,
  workspace: string,
  { member, successor, now }: { member: string; successor: string | null; now: Date },
): Promise<number> {
  await trx
    .updateTable('members')
    .set({ leftAt: now, successor, defaultConnection: null })
    .where('workspace', '=', workspace)
    .where('id', '=', member)
    .execute()
  await trx
    .updateTable('members')
    .set({ successor })
    .where('workspace', '=', workspace)
    .where('successor', '=', member)
    .execute()
  await trx
    .updateTable('connectTickets')
    .set({ expiresAt: sql<Date>`clock_timestamp()` })
    .where('workspace', '=', workspace)
    .where('member', '=', member)
    .where('expiresAt', '>', sql<Date>`clock_timestamp()`)
    .execute()
  return numberOf(
    await trx
      .updateTable('tokens')
      .set({ revokedAt: new Date() })
      .where('workspace', '=', workspace)
      .where('member', '=', member)
      .where('revokedAt', 'is', null)
      .executeTakeFirst(),
  )
}

/** Who has what a member has, or would have had: themselves, or once they have left, who has taken over. */
export async function holderOf(trx: Trx, workspace: string, member: string): Promise<string> {
  const row = await trx
    .selectFrom('members')
    .select(['id', 'successor'])
    .where('workspace', '=', workspace)
    .where('id', '=', member)
    .forKeyShare()
    .executeTakeFirst()
  return row?.successor ?? member
}
