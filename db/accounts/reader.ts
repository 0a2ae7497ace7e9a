import { sql } from 'kysely'
import type { Db } from '../database.ts'

// An account with an IMAP server, as whoever reads its mailbox needs it.

// Mail of the day before is read too, because somebody may be waiting for an answer to it.
const beforeMs = 24 * 60 * 60 * 1000

/** Accounts with an IMAP server, as they are read. */
export const readersIn = (db: Db) =>
  db
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
      'mailboxReaders.asked',
      'workspaces.timezone',
      'workspaces.tagging',
      'workspaces.mode',
    ])
    .where('connections.imap', 'is not', null)
    .where('connections.paused', '=', false)

export type Reader = NonNullable<Awaited<ReturnType<typeof openReader>>>

/** An account with an IMAP server, and the real time from which its mail is read; undefined if it has none. */
export async function openReader(db: Db, connection: string) {
  await makeReader(db, connection)
  return readersIn(db).where('connections.id', '=', connection).executeTakeFirst()
}

export const makeReader = (db: Db, connection: string) =>
  sql`insert into mailbox_readers (connection, since)
    select id, ${new Date(Date.now() - beforeMs)}::timestamptz from connections
    where id = ${connection} and imap is not null
    on conflict (connection) do nothing`.execute(db)
