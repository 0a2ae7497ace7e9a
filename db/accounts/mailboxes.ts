import { sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
import { enqueueSignal, enqueueStart } from '../operations/outbox.ts'
import type { Connections, Mailboxes } from './tables.ts'

// How far the mailboxes of accounts have been read, and who reads them.

/** Scope: the account, because one workflow reads it for as long as it has an IMAP server. */
export const readerWorkflowId = (workspace: string, connection: string): string =>
  `${workspace}:mailbox:${connection}`

// Mail of the day before is read too, because somebody may be waiting for an answer to it.
const beforeMs = 24 * 60 * 60 * 1000

/**
 * An account with an IMAP server, and the real time from which its mail is read; undefined if it has none. From now on it is
 * read by `holder`, if there is one, and by nobody else.
 */
export async function openReader(db: Db, connection: string, holder: string | null = null) {
  await sql`insert into mailbox_readers (connection, since, holder)
    select id, ${new Date(Date.now() - beforeMs)}::timestamptz, ${holder}::text from connections
    where id = ${connection} and imap is not null
    on conflict (connection) do update set holder = coalesce(excluded.holder, mailbox_readers.holder)`.execute(
    db,
  )
  return db
    .selectFrom('connections')
    .innerJoin('mailboxReaders', 'mailboxReaders.connection', 'connections.id')
    .innerJoin('members', 'members.id', 'connections.member')
    .innerJoin('workspaces', 'workspaces.id', 'connections.workspace')
    .select([
      'connections.id',
      'connections.workspace',
      'connections.account',
      'connections.imap',
      'connections.oauth',
      'connections.secrets',
      'connections.member',
      'members.name as memberName',
      'mailboxReaders.since',
      'connections.authserv',
      'mailboxReaders.authserv as learntAuthserv',
      'workspaces.timezone',
      'workspaces.tagging',
    ])
    .where('connections.id', '=', connection)
    .where('connections.imap', 'is not', null)
    .executeTakeFirst()
}

export type Reader = NonNullable<Awaited<ReturnType<typeof openReader>>>

/** Notes that the mailbox was read just now, or with a safe code why it cannot be. */
export const noteReading = (db: Db, connection: string, problem: string | null) =>
  db
    .updateTable('mailboxReaders')
    .set({ problem, ...(problem === null && { readAt: new Date() }) })
    .where('connection', '=', connection)
    .execute()

// A reader looks every ten seconds unless its server announces new mail.
const caughtUpForMs = 30_000
const caughtUp = () => new Date(Date.now() - caughtUpForMs)

/**
 * Notes that the mailbox has just been read to its end: `late` if that was not so for a while, and letters may have waited for
 * it. `replaced`: another sitting reads it now.
 */
export async function noteCaughtUp(
  db: Db,
  connection: string,
  holder: string,
): Promise<'in_time' | 'late' | 'replaced'> {
  const row = await db
    .updateTable('mailboxReaders as reader')
    .from('mailboxReaders as before')
    .set({ problem: null, readAt: new Date(), caughtUpAt: new Date() })
    .where('reader.connection', '=', connection)
    .where('reader.holder', '=', holder)
    .whereRef('before.connection', '=', 'reader.connection')
    .returning('before.caughtUpAt')
    .executeTakeFirst()
  if (!row) return 'replaced'
  return row.caughtUpAt === null || row.caughtUpAt < caughtUp() ? 'late' : 'in_time'
}

/** Notes that this sitting reads the mailbox no more; without one, that nobody reads any. */
export function noteLeft(db: Db, sitting?: { connection: string; holder: string }) {
  const left = db.updateTable('mailboxReaders').set({ caughtUpAt: null })
  if (!sitting) return left.execute()
  const { connection, holder } = sitting
  return left.where('connection', '=', connection).where('holder', '=', holder).execute()
}

/**
 * For a query of connections and their mailbox_readers: whether the mailbox may hold an unread answer, because it has not been
 * read to its end or cannot be read.
 */
export const isBehind = () => sql<boolean>`(connections.imap is not null
  and (mailbox_readers.caught_up_at is null or mailbox_readers.caught_up_at < ${caughtUp()}))`

/** A query that finds the account if its mailbox may hold an unread answer. */
export const behindOf = (connection: string) => sql`
  select from connections left join mailbox_readers on mailbox_readers.connection = connections.id
  where connections.id = ${connection} and ${isBehind()}`

export const findPlace = (db: Db, connection: string, folder: Mailboxes['folder']) =>
  db
    .selectFrom('mailboxes')
    .select(['uidValidity', 'nextUid'])
    .where('connection', '=', connection)
    .where('folder', '=', folder)
    .executeTakeFirst()

export type Place = {
  connection: string
  folder: Mailboxes['folder']
  uidValidity: string
  nextUid: number
}

/** Call it in the transaction that stores what was read. */
export const keepPlace = (trx: Db, { nextUid, uidValidity, ...folder }: Place) =>
  trx
    .insertInto('mailboxes')
    .values({ ...folder, uidValidity, nextUid: String(nextUid) })
    .onConflict((oc) =>
      oc.columns(['connection', 'folder']).doUpdateSet({ uidValidity, nextUid: String(nextUid) }),
    )
    .execute()

/**
 * Starts the readers of these accounts. A reader that already runs is told that its account has changed, unless `tell` is
 * false: then it continues undisturbed, and one that cannot reach its server keeps waiting between its tries.
 */
export async function startReaders(
  trx: Trx,
  connections: Pick<Connections, 'id' | 'workspace'>[],
  { tell = true } = {},
): Promise<void> {
  for (const { id, workspace } of connections) {
    const workflowId = readerWorkflowId(workspace, id)
    await enqueueStart(trx, {
      type: 'syncMailbox',
      workflowId,
      args: [{ connection: id }],
      attributes: { Workspace: workspace, Connection: id },
      restart: true,
      ...(tell && { orSignal: 'changed' }),
    })
  }
}

/** Tells a reader that nothing stands in its way any more. */
export const tellReader = (db: Db, { workspace, id }: { workspace: string; id: string }) =>
  enqueueSignal(db, readerWorkflowId(workspace, id), 'troubled', [null])

/** Accounts whose mailbox nobody has read for `ms` (real time). */
export const listUnread = (db: Db, ms: number) =>
  db
    .selectFrom('connections')
    .leftJoin('mailboxReaders', 'mailboxReaders.connection', 'connections.id')
    .select(['connections.id', 'connections.workspace'])
    .where('connections.imap', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('mailboxReaders.readAt', 'is', null),
        eb('mailboxReaders.readAt', '<', new Date(Date.now() - ms)),
      ]),
    )
    .orderBy('connections.id')
    .execute()

/** Sent letters of an account that are not in its Sent folder yet, oldest first, without those that are tried `later`. */
export const listToFile = (
  db: Db,
  connection: string,
  { limit, later }: { limit: number; later: string[] },
) =>
  db
    .selectFrom('messages')
    .select(['id', 'messageId', 'sentAt'])
    .where('connection', '=', connection)
    .where('direction', '=', 'outbound')
    .where('state', '=', 'sent')
    .where('filed', '=', false)
    .where('sentAt', 'is not', null)
    .where(sql<boolean>`id <> all(${later}::text[])`)
    .orderBy('sentAt')
    .limit(limit)
    .execute()

/** What a sent letter was composed of. The head of a letter of a campaign is in its touch. */
export const findToFile = (db: Db, id: string) =>
  db
    .selectFrom('messages')
    .leftJoin('touches', 'touches.id', 'messages.touch')
    .select([
      ...(['messages.id', 'messages.workspace', 'messages.conversation'] as const),
      ...(['messages.toAddress', 'messages.subject', 'messages.text', 'messages.html'] as const),
      ...(['messages.inReplyTo', 'messages.automated', 'messages.refused'] as const),
      ...(['messages.touch', 'touches.language'] as const),
    ])
    .select((eb) => eb.fn.coalesce('touches.head', 'messages.head').as('head'))
    .select(
      sql<boolean>`exists (select from files where files.message = messages.id)`.as('hasFiles'),
    )
    .where('messages.id', '=', id)
    .executeTakeFirst()

export type ToFile = NonNullable<Awaited<ReturnType<typeof findToFile>>>

export const markFiled = (db: Db, message: string) =>
  db.updateTable('messages').set({ filed: true }).where('id', '=', message).execute()
