import { sql } from 'kysely'
import type { Server } from '../../rules/answers/causes.ts'
import type { Db } from '../database.ts'
import type { AccountRetry } from './tables.ts'

// When an account that cannot be opened is tried next, at each of its servers. Every change compares `retryAt` with what was read
// before, so of all letters, readers and processes one tries, and only what came of that try counts. Instants are of the business
// clock.

export type Known = { id: string; server: Server; retryAt: Date | null }

const rowOf = {
  smtp: { table: 'connections', key: 'id' },
  imap: { table: 'mailboxReaders', key: 'connection' },
} as const

// Both tables have these columns.
const updating = (db: Db, server: Server, id: string) => {
  const { table, key } = rowOf[server]
  return db.updateTable(table as 'connections').where(key as 'id', '=', id)
}

/** What is wrong with an account at one of its servers, and when it is tried next. */
export const findTrouble = (db: Db, id: string, server: Server = 'smtp') => {
  const { table, key } = rowOf[server]
  return db
    .selectFrom(table as 'connections')
    .select(['problem', 'problemSince', 'retryAt', 'retry'])
    .where(key as 'id', '=', id)
    .executeTakeFirst()
}

/** Reserves the next try until `until`, when it is free again if nothing came of it. False if another one has it. */
export async function reserveTry(db: Db, known: Known, until: Date): Promise<boolean> {
  const { numUpdatedRows } = await updating(db, known.server, known.id)
    .set({ retryAt: until, retry: sql`retry || '{"isTrying":true}'` })
    .where('retryAt', 'is not distinct from', known.retryAt)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Puts the next try off after one that failed; not if another one has been made or reserved meanwhile. */
export const putOffTry = (db: Db, known: Known, retryAt: Date, retry: AccountRetry) =>
  updating(db, known.server, known.id)
    .set({ retryAt, retry: JSON.stringify(retry) })
    .where('retryAt', 'is not distinct from', known.retryAt)
    .execute()

/** The account has been opened: the pauses start over after the next failure. */
export const forgetTries = (db: Db, id: string, server: Server) =>
  updating(db, server, id)
    .set({ retryAt: null, retry: null })
    .where('retryAt', 'is not', null)
    .execute()

/**
 * Makes the next try due at once, at most every `apartMs`, and lets the pauses start over. Answers what is known then.
 */
export async function hastenTry(
  db: Db,
  id: string,
  now: Date,
  apartMs: number,
  server: Server = 'smtp',
) {
  const apart = sql`make_interval(secs => ${apartMs / 1000})`
  const at = sql<Date>`greatest(${now}::timestamptz, (retry ->> 'askedAt')::timestamptz + ${apart})`
  await updating(db, server, id)
    .set({
      retryAt: at,
      retry: sql`retry - 'isTrying' || jsonb_build_object('ms', 0, 'askedAt', ${at})`,
    })
    .where('retryAt', '>', at)
    .execute()
  return findTrouble(db, id, server)
}
