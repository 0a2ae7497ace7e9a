import { createHash } from 'node:crypto'
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type pg from 'pg'
import { setNewest } from '../rules/newest.ts'

// Planning a statement costs several times what carrying it out does. So each one that comes again is prepared, under a name,
// on every connection that carries it out: the connection parses it once, and Postgres keeps a plan as soon as one that fits
// all parameters is no worse than those made for particular ones.

/** The most names of one connection. A prepared statement takes some tens of kilobytes of the server's memory. */
const mostNames = 150
/** The most texts of which is remembered whether they came before. */
const mostTexts = 2_000
/** Longer texts are rare, such as the insertion of many rows at once. */
const longestText = 16_000
/** A text that differs from others only in the lengths of its lists gets a name if there are no more lengths than this. */
const mostLengths = 3

type Names = {
  /** The name of a statement; undefined if it gets none. */
  of(text: string): string | undefined
}

/**
 * A name is the hash of its text. A text gets one when it comes for the second time, unless its shape is unbounded, such as
 * that of a list with a parameter for each entry.
 */
export function createNames(): Names {
  const texts = new Map<string, string | 'once' | 'never'>()
  const lengths = new Map<string, number>()

  function first(text: string) {
    if (!mayBeNamed(text)) return 'never'
    const shape = shapeOf(text)
    if (shape === text) return 'once'
    const known = (lengths.get(shape) ?? 0) + 1
    setNewest(lengths, shape, known, mostTexts)
    return known > mostLengths ? 'never' : 'once'
  }

  return {
    of(text) {
      if (text.length > longestText) return undefined
      const known = texts.get(text)
      const next =
        known === undefined
          ? first(text)
          : known === 'once'
            ? createHash('sha256').update(text).digest('hex').slice(0, 32)
            : known
      if (next !== known) setNewest(texts, text, next, mostTexts)
      return known === undefined || next === 'never' ? undefined : next
    },
  }
}

// Only one statement of these kinds can be prepared at a time; what begins and ends transactions has nothing to plan.
const mayBeNamed = (text: string) =>
  /^\s*(?:select|insert|update|delete|with|merge)\b/i.test(text) && !text.includes(';')

/** The text with each list of parameters as if it had one, and each list of rows too. */
const shapeOf = (text: string) =>
  /\$\d+, \$|\), \(/.test(text)
    ? text
        .replace(/\$\d+/g, '$')
        .replace(/\(\$(?:, \$)+\)/g, '(…)')
        .replace(/(\([$…][^()]*\))(?:, \([$…][^()]*\))+/g, '$1')
    : text

const opens = 'begin'
const ends = ['commit', 'rollback']
const nothing = {
  command: 'SELECT',
  rowCount: 0,
  rows: [],
} as const satisfies PostgresQueryResult<unknown>

/** What all connections of a pool share. */
type Shared = {
  names: Names
  /** Raised when the statements prepared so far no longer hold, for instance after a migration. */
  age: number
}

/**
 * The connections of a pool, which has to be pipelined, with prepared statements. The members of a row have their names in camel
 * case.
 */
export function withPreparedStatements(pool: pg.Pool): PostgresPool {
  const shared: Shared = { names: createNames(), age: 0 }
  const connections = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    async connect() {
      const client = await pool.connect()
      const known = connections.get(client)
      if (known) return known
      const connection = preparing(client, shared)
      connections.set(client, connection)
      return connection
    },
    end: () => pool.end(),
  }
}

function preparing(client: pg.PoolClient, shared: Shared): PostgresPoolClient {
  // From the one that was not used for the longest time to the one used last.
  const prepared = new Set<string>()
  let { age } = shared

  /** The name to carry a statement out under, with a place for it on this connection. */
  function nameOf(text: string): string | undefined {
    if (age !== shared.age) {
      for (const name of prepared) forget(name)
      age = shared.age
    }
    const name = shared.names.of(text)
    if (name === undefined) return undefined
    prepared.delete(name)
    prepared.add(name)
    if (prepared.size > mostNames) forget(prepared.values().next().value as string)
    return name
  }

  function forget(name: string) {
    prepared.delete(name)
    const { connection } = client as unknown as Prepared
    // The server reads this with the next statement, even in a transaction that has failed.
    connection.close({ type: 'S', name })
    delete connection.parsedStatements[name]
  }

  // A transaction is opened together with its first statement: one trip to the server instead of two.
  let opening: Promise<unknown> | undefined
  // The statements that were sent so far have opened a transaction and not ended it.
  let isWithin = false
  function open(): PostgresQueryResult<unknown> {
    isWithin = true
    opening = client.query(opens)
    // Whoever carries out the first statement is told.
    opening.catch(() => {})
    return nothing
  }

  async function carryOut(text: string, values: readonly unknown[], isRepeat = false) {
    if (text === opens) return open()
    const isOfTransaction = isWithin
    if (ends.includes(text)) isWithin = false
    const name = nameOf(text)
    const from = age
    const query = { text, values: values as unknown[], rowMode: 'array' as const }
    const opened = opening
    opening = undefined
    try {
      const [result] = await Promise.all([
        client.query(name === undefined ? query : { ...query, name }),
        opened,
      ])
      return inCamelCase(result)
    } catch (error) {
      if (name === undefined || !isOutdated(error)) throw error
      if (from === shared.age) shared.age++
      // It was refused before anything was carried out. Within a transaction, nothing more can be carried out either; its end may
      // have been sent already, so the statement would be repeated outside of it.
      if (isRepeat || isOfTransaction) throw error
      return carryOut(text, values, true)
    }
  }

  return {
    query: ((text: string, values: readonly unknown[]) =>
      carryOut(text, values)) as PostgresPoolClient['query'],
    release: () => client.release(),
  }
}

/** The part of a connection of node-postgres in which it notes what it has prepared. */
type Prepared = {
  connection: {
    parsedStatements: Record<string, string>
    close(message: { type: 'S'; name: string }): void
  }
}

/**
 * A prepared statement no longer holds: a column was added to a table all of whose columns it answers, or the connection
 * has lost it. After that, all are prepared again, and the whole transaction may be run again.
 */
export function isOutdated(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, routine } = error as Error & { code?: string; routine?: string }
  // The message depends on the language of the server; the name of its function does not.
  return (code === '0A000' && routine === 'RevalidateCachedQuery') || code === '26000'
}

function inCamelCase(result: pg.QueryArrayResult): PostgresQueryResult<unknown> {
  const { command, rowCount, rows, fields } = result
  // Several statements in one text, as migrations have them, have no rows that anybody reads.
  if (!fields) return nothing
  const names = fields.map(({ name }) => camelCase(name))
  const rowOf = (values: unknown[], row: Record<string, unknown>) => {
    for (let i = 0; i < names.length; i++) row[names[i] as string] = values[i]
    return row
  }
  const [first, ...others] = rows
  // To fill a copy of an object with the same members costs half as much as to add them one by one.
  const like = first ? rowOf(first, {}) : {}
  return {
    command: command as PostgresQueryResult<unknown>['command'],
    rowCount: rowCount ?? 0,
    rows: first ? [like, ...others.map((values) => rowOf(values, { ...like }))] : [],
  }
}

const camelNames = new Map<string, string>()

function camelCase(name: string): string {
  const known = camelNames.get(name)
  if (known !== undefined) return known
  const camel = name.replace(/(?!^)_+([^_])/g, (_, letter: string) => letter.toUpperCase())
  // Names are those of columns and of our own statements.
  camelNames.set(name, camel)
  return camel
}
