import { type SqlBool, sql } from 'kysely'
import { type Db, type Trx, withoutDisk } from '../database.ts'
import { newId } from '../ids.ts'
import { inMs } from '../instants.ts'
import { awayAfterSeconds } from '../operations/workers.ts'
import { readersIn } from './reader.ts'

// Mailboxes are read in sets. Whoever reads a set holds it by a lease, which a worker that dies leaves to others soon. Real time,
// by the clock of the database.

/** How many mailboxes a set has at most. */
const most = 100
const leaseMs = 30_000
/** How often a lease is renewed. */
export const renewEveryMs = 10_000
/** Accounts of sets have changed: the payload is the set. */
export const setsChannel = 'mailboxes'

/** Scope: the set, which one worker reads at a time. */
export const setWorkflowId = (set: string): string => `mailboxes-${set}`

/** The set of an account; the emptiest one if it has none yet. Undefined if the account has no reader. */
export async function setOf(trx: Trx, connection: string): Promise<string | undefined> {
  const reader = await findSet(trx, connection)
  if (!reader) return undefined
  if (reader.mailboxSet) return reader.mailboxSet
  const set = (await findRoom(trx)) ?? (await makeSet(trx))
  const assigned = await trx
    .updateTable('mailboxReaders')
    .set({ mailboxSet: set })
    .where('connection', '=', connection)
    .returning('mailboxSet')
    .executeTakeFirst()
  return assigned?.mailboxSet ?? undefined
}

const findSet = (db: Db, connection: string) =>
  db
    .selectFrom('mailboxReaders')
    .select('mailboxSet')
    .where('connection', '=', connection)
    .executeTakeFirst()

async function findRoom(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select mailbox_sets.id from mailbox_sets left join mailbox_readers on mailbox_set = mailbox_sets.id
    group by mailbox_sets.id having count(connection) < ${most}
    order by count(connection), mailbox_sets.id limit 1`.execute(db)
  return rows[0]?.id
}

async function makeSet(db: Db): Promise<string> {
  const made = db
    .insertInto('mailboxSets')
    .values({ id: newId('set') })
    .returning('id')
  return (await made.executeTakeFirstOrThrow()).id
}

/** Tells those who read these sets, when the transaction commits, that accounts have changed. */
export const tellSets = (trx: Db, sets: string[]) =>
  sql`with changed as (update mailbox_sets set version = version + 1 where id = any(${sets}::text[]) returning id)
    select pg_notify(${setsChannel}, id) from changed`.execute(trx)

/** Tells whoever reads the mailbox of an account. */
export async function tellSetOf(trx: Db, connection: string) {
  const reader = await findSet(trx, connection)
  if (reader?.mailboxSet) await tellSets(trx, [reader.mailboxSet])
}

/** Takes a set. False while another one holds it; undefined if there is no such set. */
export async function takeSet(db: Db, set: string, holder: string): Promise<boolean | undefined> {
  const { numUpdatedRows } = await db
    .updateTable('mailboxSets')
    .set({ holder, leaseUntil: inMs(leaseMs) })
    .where('id', '=', set)
    .where(
      sql<SqlBool>`(lease_until is null or lease_until <= clock_timestamp() or holder = ${holder})`,
    )
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return true
  const row = await db
    .selectFrom('mailboxSets')
    .select('id')
    .where('id', '=', set)
    .executeTakeFirst()
  return row && false
}

/** Renews the lease. Answers the version of the set; undefined if another one has taken it. */
export async function renewSet(db: Db, set: string, holder: string): Promise<string | undefined> {
  const { rows } = await sql<{ version: string }>`
    update mailbox_sets set lease_until = ${inMs(leaseMs)} where id = ${set} and holder = ${holder}
    returning version, ${withoutDisk}`.execute(db)
  return rows[0]?.version
}

/** Leaves a set to others. */
export const leaveSet = (db: Db, set: string, holder: string) =>
  db
    .updateTable('mailboxSets')
    .set({ holder: null, leaseUntil: null })
    .where('id', '=', set)
    .where('holder', '=', holder)
    .execute()

/** The accounts of a set. */
export const listSet = (db: Db, set: string) =>
  readersIn(db).where('mailboxReaders.mailboxSet', '=', set).orderBy('connections.id').execute()

/** Sets with accounts that nobody has held for a minute. */
export async function listUnheld(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from mailbox_sets
    where (lease_until is null or lease_until < clock_timestamp() - interval '1 minute')
      and exists (select from mailbox_readers where mailbox_set = mailbox_sets.id)
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** How many sets each worker that reads mailboxes holds where all hold as many. */
export async function findShare(db: Db): Promise<number> {
  const { rows } = await sql<{ share: number }>`
    select ceil((select count(distinct mailbox_set) from mailbox_readers)::float8
      / greatest(1, count(*)))::int as share
    from workers where reads and seen_at > clock_timestamp() - ${awayAfterSeconds} * interval '1 second'`.execute(
    db,
  )
  return rows[0]?.share ?? 1
}
