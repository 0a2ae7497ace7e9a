import { CamelCasePlugin, Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import type { Schema } from './schema.ts'

export type Db = Kysely<Schema>
/** Demanded by functions that are only right inside a transaction. */
export type Trx = Transaction<Schema>

const DATE = 1082
const types = {
  // A date is a day of a calendar and belongs to no zone: it stays YYYY-MM-DD.
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === DATE
      ? (value: string) => value
      : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

/** Opens a pool of at most `max` connections. Close it with `db.destroy()`. */
export function openDatabase(url: string, max: number): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types,
    // A call is answered 503 rather than kept waiting for a server that is away.
    connectionTimeoutMillis: 5000,
    // Opening one costs both sides a password's derivation: what a burst has opened stays for the next.
    idleTimeoutMillis: 300_000,
    application_name: 'postroom',
  })
  // An idle connection lost to a restart of the server is replaced by the next query.
  pool.on('error', () => {})
  // One lost between two queries of a transaction has no one to tell either: without a listener it would end the process. The
  // next query says that it is gone.
  pool.on('connect', (client) => client.on('error', () => {}))
  return new Kysely<Schema>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
}

/** The SQLSTATE of an error of Postgres, or the code of one on the way to it; empty for any other. */
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** Postgres went away or is not ready yet: the same work may be tried again later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  return (
    /^(08...|57P0[1-3]|53300)$/.test(code) ||
    /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOENT|ENOTFOUND|EHOSTUNREACH)$/.test(code) ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|server closed the connection/.test(
      error.message,
    )
  )
}

const triedAgainMs = 500

/** What a process starts with, tried until the database is there: it may be started anew while this one is. */
export async function onceAvailable<T>(work: () => Promise<T>, held: () => void): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!isUnavailable(error)) throw error
      if (tries === 0) held()
      await new Promise((resolve) => setTimeout(resolve, triedAgainMs))
    }
  }
}

/** The schema has not been made yet. */
export const isUndefinedTable = (error: unknown): boolean => codeOf(error) === '42P01'

/** A row was locked by another transaction for longer than this one waits. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03'

/** Two transactions crossed (deadlock or serialization failure): the whole transaction may be run again. */
export const isConflict = (error: unknown): boolean => /^40(001|P01)$/.test(codeOf(error))

/**
 * A row that was there a moment before has gone, or one has come (foreign key, unique): another transaction was faster.
 * Run again, the whole transaction finds what is so now.
 */
export const isOvertaken = (error: unknown): boolean => /^2350[35]$/.test(codeOf(error))

/** Runs a transaction, and again when it crossed another one or was overtaken; `tries` in all. */
export async function retrying<T>(tries: number, run: () => Promise<T>): Promise<T> {
  for (let left = tries; ; left--) {
    try {
      return await run()
    } catch (error) {
      if (left <= 1 || !(isConflict(error) || isOvertaken(error))) throw error
    }
  }
}

/** Begins what rollBackTo can undo without the rest of the transaction. */
export const savepoint = (trx: Trx, name: string) => sql`savepoint ${sql.id(name)}`.execute(trx)
export const rollBackTo = (trx: Trx, name: string) =>
  sql`rollback to savepoint ${sql.id(name)}`.execute(trx)

/**
 * Runs one of several pieces of work of a transaction. Where it fails for what it is given, as if it had not run, `instead`; an
 * error that the whole transaction can be run again for goes on.
 */
export async function inSavepoint<T>(
  trx: Trx,
  work: () => Promise<T>,
  instead: (error: unknown) => Promise<T>,
): Promise<T> {
  await savepoint(trx, 'piece')
  try {
    const done = await work()
    await sql`release savepoint piece`.execute(trx)
    return done
  } catch (error) {
    if (isUnavailable(error) || isConflict(error) || isOvertaken(error)) throw error
    await rollBackTo(trx, 'piece')
    return instead(error)
  }
}
