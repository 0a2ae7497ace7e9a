import {
  CamelCasePlugin,
  CompiledQuery,
  Kysely,
  type KyselyPlugin,
  LimitNode,
  type Logger,
  PostgresDialect,
  type PostgresPool,
  type QueryCreator,
  type RootOperationNode,
  SelectQueryNode,
  sql,
  type Transaction,
  ValueNode,
} from 'kysely'
import pg from 'pg'
import { instantOf } from './instants.ts'
import {
  endWhenSilent,
  keptAlive,
  type Limits,
  longMs,
  settingsOf,
  limits as usualLimits,
  type Work,
} from './limits.ts'
import type { Schema } from './schema.ts'
import { isOutdated, withPreparedStatements } from './statements.ts'

export type Db = Kysely<Schema>
/** Enough for functions that build a statement, which may become a part of another one. */
export type Builder = QueryCreator<Schema>
/** Required by functions that are correct only inside a transaction. */
export type Trx = Transaction<Schema>

const parsers: Record<number, (value: string) => unknown> = {
  // A date is a calendar day and belongs to no zone: it stays YYYY-MM-DD.
  [pg.types.builtins.DATE]: (value) => value,
  [pg.types.builtins.TIMESTAMPTZ]: instantOf,
}
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers[oid]) ||
    pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

type Options = {
  /** What the connections are for, which says how long a statement may take. By default, maintenance. */
  work?: Work
  /** What is not as usual for the work. */
  limits?: Partial<Limits> | undefined
  /** How long a call waits for a connection: then it is answered with 503 rather than left waiting for a server that does not respond. */
  connectMs?: number
  /**
   * False: a commit does not wait for the disk. If Postgres crashes, what was written in the last moment may be lost, but nothing
   * else.
   */
  disk?: boolean
}

/**
 * Part of a statement that is a transaction by itself: its commit does not wait for the disk, for a write that may be lost. Every
 * later commit that waits makes this one durable too.
 */
export const withoutDisk = sql`set_config('synchronous_commit', 'off', true)`

/** Opens a pool of at most `max` connections. Close it with `db.destroy()`. */
export function openDatabase(
  url: string,
  max: number,
  { work = 'maintenance', limits: own, connectMs = 5_000, disk = true }: Options = {},
): Db {
  const limits = { ...usualLimits[work], ...own }
  const settings = settingsOf(limits, { disk })
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types,
    // What opens a transaction is sent with its first statement (statements.ts).
    pipeline: true,
    async onConnect(client) {
      // A connection that is lost between two queries of a transaction has nobody to report to: without a listener, the error would
      // end the process. The next query reports it.
      client.on('error', () => {})
      endWhenSilent(client, limits.silentMs)
      await client.query(settings)
    },
    connectionTimeoutMillis: connectMs,
    // Each new connection costs both sides the derivation of a password, so connections opened for a burst are kept for the
    // next one.
    idleTimeoutMillis: 300_000,
    application_name: 'postroom',
    ...keptAlive,
  })
  // An idle connection lost to a restart of the server is replaced by the next query.
  pool.on('error', () => {})
  return databaseOn(pool)
}

/** Lets the statements of a transaction take minutes, where that is known: such as what looks for all that refers to a row. */
export const takeLong = (trx: Trx) =>
  sql`select set_config('statement_timeout', ${String(longMs)}, true)`.execute(trx)

/** The connections of the pool are pipelined. `log` hears of each statement. */
export function databaseOn(pool: pg.Pool, log?: Logger): Db {
  const prepared = withPreparedStatements(pool)
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: prepared }),
    plugins: [snakeCase],
    ...(log && { log }),
  })
  pools.set(db, prepared)
  return db
}

const pools = new WeakMap<Db, PostgresPool>()

/**
 * Carries out statements as one transaction and in one trip to the server, for a transaction in which nothing is decided
 * between them. Each sees what those before it have waited for. They are made once there is a connection, which
 * may take a while. Answers the rows of the last one.
 */
export async function inOneTrip<R>(
  db: Db,
  statements: () => [...CompiledQuery[], CompiledQuery<R>],
): Promise<R[]> {
  const client = await poolOf(db).connect()
  try {
    const all = [CompiledQuery.raw('begin'), ...statements(), CompiledQuery.raw('commit')]
    const sent = all.map(({ sql, parameters }) => client.query<R>(sql, parameters))
    await allOrFirstRefusal(sent)
    return (await sent.at(-2))?.rows ?? []
  } finally {
    client.release()
  }
}

/**
 * Carries out two statements of a transaction in one trip to the server. The second sees what the first has waited for. Answers
 * the rows of both.
 */
export async function bothInOneTrip<A, B>(
  trx: Trx,
  first: CompiledQuery<A>,
  second: CompiledQuery<B>,
): Promise<[A[], B[]]> {
  return trx.getExecutor().provideConnection(async (connection) => {
    const sent = [connection.executeQuery<A>(first), connection.executeQuery<B>(second)] as const
    await allOrFirstRefusal(sent)
    return [(await sent[0]).rows, (await sent[1]).rows]
  })
}

/** Waits for all statements of a trip. @throws why the first was refused: those behind it are then refused for no other reason. */
async function allOrFirstRefusal(sent: readonly Promise<unknown>[]) {
  const ended = await Promise.allSettled(sent)
  const refused = ended.find((one) => one.status === 'rejected')
  if (refused) throw refused.reason
}

function poolOf(db: Db): PostgresPool {
  const pool = pools.get(db)
  if (!pool) throw new Error('A transaction in one trip is not a part of another one.')
  return pool
}

const camelCase = new CamelCasePlugin()
/** Names in statements; those in rows have been translated when the rows were read. */
const snakeCase: KyselyPlugin = {
  transformQuery: (args) => withPlainLimit(camelCase.transformQuery(args)),
  transformResult: async ({ result }) => result,
}

/**
 * A limit stands in the statement as a number if it is a usual one. Of a parameter, a plan that is kept for all values assumes
 * a tenth of the rows, so it would seem too dear for a long table, and each page would be planned again.
 */
function withPlainLimit(node: RootOperationNode): RootOperationNode {
  const limit = SelectQueryNode.is(node) ? node.limit?.limit : undefined
  if (!limit || !ValueNode.is(limit) || !isUsual(Number(limit.value))) return node
  const plain = LimitNode.create(ValueNode.createImmediate(limit.value))
  return { ...(node as SelectQueryNode), limit: plain }
}

// Callers choose the length of a page, and one more row is read. Their choices must not make many statements of one.
const isUsual = (limit: number) => limit === 1 || limit % 50 <= 1

/** The SQLSTATE of an error of Postgres, or the code of one on the way to it; empty for any other. */
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/**
 * Postgres went away or is not ready yet, or it has ended a statement, a wait or a transaction that took too long (limits.ts). Nothing
 * was changed, and the same work may be tried again later.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  return (
    // 57P05: idle session; 25P03: idle in a transaction; 25P04: a long transaction.
    /^(08...|57P0[1-35]|53300|25P0[34])$/.test(code) ||
    isTimeout(error) ||
    isLockTimeout(error) ||
    /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOENT|ENOTFOUND|EHOSTUNREACH)$/.test(code) ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|server closed the connection/.test(
      error.message,
    )
  )
}

const triedAgainMs = 500

/** Runs what a process begins with, and tries again until the database is there: it may be restarting too. */
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

/** A statement took longer than it may, or somebody ended it. */
export const isTimeout = (error: unknown): boolean => codeOf(error) === '57014'

/** The schema has not been made yet. */
export const isUndefinedTable = (error: unknown): boolean => codeOf(error) === '42P01'

/** A row was locked by another transaction for longer than this one is allowed to wait. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03'

/**
 * Two transactions crossed (deadlock or serialization failure), or a migration came between two statements: the whole
 * transaction may be run again.
 */
export const isConflict = (error: unknown): boolean =>
  /^40(001|P01)$/.test(codeOf(error)) || isOutdated(error)

/**
 * A row that was there a moment ago is gone, or a new one has appeared (foreign key, unique): another transaction was faster.
 * When the whole transaction runs again, it finds the present state.
 */
export const isOvertaken = (error: unknown): boolean => /^2350[35]$/.test(codeOf(error))

/** Runs a transaction, and again if it crossed another one or was overtaken by it; at most `tries` times. */
export async function retrying<T>(tries: number, run: () => Promise<T>): Promise<T> {
  for (let left = tries; ; left--) {
    try {
      return await run()
    } catch (error) {
      if (left <= 1 || !(isConflict(error) || isOvertaken(error))) throw error
    }
  }
}

/** Begins a part of the transaction that rollBackTo can undo without the rest. */
export const savepoint = (trx: Trx, name: string) => sql`savepoint ${sql.id(name)}`.execute(trx)
export const rollBackTo = (trx: Trx, name: string) =>
  sql`rollback to savepoint ${sql.id(name)}`.execute(trx)

/**
 * Runs one of several pieces of work in a transaction. If the piece fails because of its input, it is undone, and `instead`
 * runs; an error after which the whole transaction can run again is thrown on.
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
