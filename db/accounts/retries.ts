import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { AccountRetry } from './tables.ts'

// When an account that cannot be opened is tried next. Every change compares `retryAt` with what was read before, so of all
// letters and processes one tries, and only what came of that try counts. Instants are of the business clock.

type Known = { id: string; retryAt: Date | null }

/** What is wrong with an account, and when it is tried next. */
export const findTrouble = (db: Db, connection: string) =>
  db
    .selectFrom('connections')
    .select(['problem', 'problemSince', 'retryAt', 'retry'])
    .where('id', '=', connection)
    .executeTakeFirst()

/** Reserves the next try until `until`, when it is free again if nothing came of it. False if another one has it. */
export async function reserveTry(db: Db, known: Known, until: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('connections')
    .set({ retryAt: until, retry: sql`retry || '{"isTrying":true}'` })
    .where('id', '=', known.id)
    .where('retryAt', 'is not distinct from', known.retryAt)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Puts the next try off after one that failed; not if another one has been made or reserved meanwhile. */
export const putOffTry = (db: Db, known: Known, retryAt: Date, retry: AccountRetry) =>
  db
    .updateTable('connections')
    .set({ retryAt, retry: JSON.stringify(retry) })
    .where('id', '=', known.id)
    .where('retryAt', 'is not distinct from', known.retryAt)
    .execute()

/**
 * Makes the next try due at once, at most every `apartMs`, and lets the pauses begin anew. Answers what is known then.
 */
export async function hastenTry(db: Db, connection: string, now: Date, apartMs: number) {
  const apart = sql`make_interval(secs => ${apartMs / 1000})`
  const at = sql<Date>`greatest(${now}::timestamptz, (retry ->> 'askedAt')::timestamptz + ${apart})`
  await db
    .updateTable('connections')
    .set({
      retryAt: at,
      retry: sql`retry - 'isTrying' || jsonb_build_object('ms', 0, 'askedAt', ${at})`,
    })
    .where('id', '=', connection)
    .where('retryAt', '>', at)
    .execute()
  return findTrouble(db, connection)
}
