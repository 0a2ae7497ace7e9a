import { sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
import { enqueueSignal, enqueueStart } from '../operations/outbox.ts'
import { setOf, setWorkflowId, tellSets } from './mailbox-sets.ts'
import { makeReader } from './reader.ts'
import type { Connections } from './tables.ts'

// Who reads the mailbox of an account, and whether it has been read to its end.

/** Scope: the account, because its handle stands for its mailbox for as long as it has an IMAP server. */
export const readerWorkflowId = (workspace: string, connection: string): string =>
  `${workspace}:mailbox:${connection}`

/** Whether the mailbox of a reader's row counts as read to its end: whoever has said so still reads it. */
const isCaughtUp = () => sql`(mailbox_readers.caught_up_at is not null and exists (
  select from mailbox_sets held where held.id = mailbox_readers.mailbox_set
    and held.holder = mailbox_readers.holder and held.lease_until > clock_timestamp()))`

/**
 * For a query of connections and their mailbox_readers: whether the mailbox may hold an unread answer, because it has not been
 * read to its end or cannot be read.
 */
export const isBehind = () =>
  sql<boolean>`(connections.imap is not null and ${isCaughtUp()} is not true)`

/** A query that finds the account if its mailbox may hold an unread answer. */
export const behindOf = (connection: string) => sql`
  select from connections left join mailbox_readers on mailbox_readers.connection = connections.id
  where connections.id = ${connection} and ${isBehind()}`

/** For a query of connections: how many folders of the mailbox are read. */
export const foldersRead = () =>
  sql<number>`(select count(*)::int from mailboxes where mailboxes.connection = connections.id)`

/** For a query of mailbox_readers: when the mailbox was last known to be read to its end (real time); null if it never was. */
export const readAt = () =>
  sql<Date | null>`case when ${isCaughtUp()} then clock_timestamp() else mailbox_readers.read_at end`

/** Seconds since the mailbox that has waited longest was read to its end; 0 if no account has one. Real time. */
export async function findOldestReading(db: Db): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select greatest(max(extract(epoch from clock_timestamp() - coalesce(${readAt()}, since))), 0)::float8 as seconds
    from mailbox_readers join connections on connections.id = mailbox_readers.connection
    where connections.imap is not null and not connections.paused`.execute(db)
  return rows[0]?.seconds ?? 0
}

type Held = { connection: string; holder: string }

/** Notes that all folders have been read to their ends, if it is the account's set that `holder` holds. */
export const noteCaughtUp = (db: Db, { connection, holder }: Held) =>
  db
    .updateTable('mailboxReaders')
    .set({ caughtUpAt: sql<Date>`clock_timestamp()`, readAt: sql<Date>`clock_timestamp()`, holder })
    .where('connection', '=', connection)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('mailboxSets')
          .select('id')
          .whereRef('mailboxSets.id', '=', 'mailboxReaders.mailboxSet')
          .where('mailboxSets.holder', '=', holder),
      ),
    )
    .execute()

/** Notes that the mailbox may hold mail that has not been read. */
export const noteBehind = (db: Db, { connection, holder }: Held) =>
  db
    .updateTable('mailboxReaders')
    .set({ caughtUpAt: null, readAt: sql<Date>`clock_timestamp()` })
    .where('connection', '=', connection)
    .where('holder', '=', holder)
    .where('caughtUpAt', 'is not', null)
    .execute()

/**
 * Has the mailboxes of these accounts read, and starts their handles. Where a mailbox is read already, its session ends and
 * another one begins with what the account has now, unless `tell` is false.
 */
export async function startReaders(
  trx: Trx,
  connections: Pick<Connections, 'id' | 'workspace'>[],
  { tell = true } = {},
): Promise<void> {
  const sets = new Set<string>()
  for (const { id, workspace } of connections) {
    await makeReader(trx, id)
    const set = await setOf(trx, id)
    if (!set) continue
    sets.add(set)
    if (tell) await askAnew(trx, id)
    await enqueueStart(trx, {
      type: 'syncMailbox',
      workflowId: readerWorkflowId(workspace, id),
      args: [{ connection: id }],
      attributes: { Workspace: workspace, Connection: id },
      restart: true,
      ...(tell && { orSignal: 'changed' }),
    })
  }
  await startSets(trx, [...sets])
}

/** Starts those who read the sets, and notifies those who do that accounts have changed. */
export async function startSets(trx: Trx, sets: string[]) {
  for (const set of sets)
    await enqueueStart(trx, {
      type: 'readMailboxes',
      workflowId: setWorkflowId(set),
      args: [{ set }],
      attributes: {},
      restart: true,
    })
  await tellSets(trx, sets)
}

/** Has the session of an account end, and another one begin at once. */
export const askAnew = (db: Db, connection: string) =>
  db
    .updateTable('mailboxReaders')
    .set((eb) => ({ asked: eb('asked', '+', '1') }))
    .where('connection', '=', connection)
    .execute()

/** Tells the handle of a mailbox that nothing stands in its way any more. */
export async function tellReader(db: Db, { workspace, id }: { workspace: string; id: string }) {
  const handle = readerWorkflowId(workspace, id)
  await enqueueSignal(db, handle, 'troubled', [null])
  await enqueueSignal(db, handle, 'changed')
}

/** Accounts whose mailbox belongs to no set yet. */
export const listUnread = (db: Db) =>
  db
    .selectFrom('connections')
    .leftJoin('mailboxReaders', 'mailboxReaders.connection', 'connections.id')
    .select(['connections.id', 'connections.workspace'])
    .where('connections.imap', 'is not', null)
    .where('connections.paused', '=', false)
    .where('mailboxReaders.mailboxSet', 'is', null)
    .orderBy('connections.id')
    .execute()

/** The accounts whose handles have been seen least recently, which now have been. */
export async function nextHandles(db: Db, limit: number) {
  const { rows } = await sql<{ id: string; workspace: string }>`
    with next as (select connection from mailbox_readers where mailbox_set is not null
      order by handle_seen_at nulls first, connection limit ${limit})
    update mailbox_readers set handle_seen_at = clock_timestamp() from next, connections
    where mailbox_readers.connection = next.connection and connections.id = next.connection and imap is not null
    returning connections.id, connections.workspace`.execute(db)
  return rows
}

/** What the handle of a mailbox shows of it; undefined if the account has none. */
export const describeReader = (db: Db, connection: string) =>
  db
    .selectFrom('mailboxReaders')
    .innerJoin('connections', 'connections.id', 'mailboxReaders.connection')
    .select('mailboxReaders.mailboxSet as set')
    .select([isBehind().as('isBehind'), readAt().as('readAt'), foldersRead().as('folders')])
    .where('connections.id', '=', connection)
    .where('connections.imap', 'is not', null)
    .executeTakeFirst()
