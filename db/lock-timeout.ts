import { setTimeout as wait } from 'node:timers/promises'
import { type QueryExecutorProvider, sql } from 'kysely'
import { isConflict, isLockTimeout } from './database.ts'

// Whoever waits for the lock of a table stands in a queue: all others who need the table then wait behind it, readers too. So a
// change of the schema waits for a moment only, lets them pass, and tries again.

/** How long a lock is waited for, and how long the pause is after the first try that did not get it. */
export type Patience = { lockMs: number; pauseMs: number }

/** Callers of the API get their answer within seconds. */
export const usualPatience: Patience = { lockMs: 3_000, pauseMs: 1_000 }

const longestPauseMs = 15_000
/** With the usual patience, this takes some eight minutes: a transaction that is open for longer has been forgotten. */
const mostTries = 30

/** Has the statements of a transaction wait for no lock longer than that. */
export const limitWaiting = (trx: QueryExecutorProvider, { lockMs }: Patience) =>
  sql.raw(`set local lock_timeout = ${lockMs}`).execute(trx)

/** Runs a transaction until it gets its locks. @throws after many tries, naming what was not done. */
export async function untilLocked<T>(
  what: () => string,
  transaction: () => Promise<T>,
  { pauseMs }: Patience,
  log: (line: string) => void,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await transaction()
    } catch (error) {
      if (!(isLockTimeout(error) || isConflict(error))) throw error
      if (tries === mostTries)
        throw new Error(
          `${what()}: a lock was not had in ${tries} tries, and nothing was changed. pg_stat_activity shows which transaction has been open for long; end it, and migrate again.`,
          { cause: error },
        )
      const pause = Math.min(pauseMs * 2 ** (tries - 1), longestPauseMs)
      log(`${what()}: another transaction holds a lock; trying again in ${pause / 1000} s`)
      await wait(pause)
    }
  }
}
