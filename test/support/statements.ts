import pg from 'pg'
import { currentUnit } from './isolation/record.ts'

// Counts the SQL statements that the service in this process sends to Postgres, each BEGIN, COMMIT and SAVEPOINT included, by
// the call, the activity or the loop that sent them. Statements of the tests themselves are not counted.

export type Statement = {
  sql: string
  /** A call as `POST /conversations/{id}/messages`, an activity by its name, a loop by its file. */
  unit: string
  /** Part of a look of a loop that found nothing to do, such as a poll of the relay. */
  idle: boolean
}

type Look = { statements: Statement[]; found: boolean }

/** Of one database each, since other suites of the process may leave a service at work in theirs. */
const counters = new Set<{ database: string; add: (statement: Statement) => void }>()
let hooked = false

/** Starts counting those to the database at this address. `take` returns the statements since the last `take`; `stop` ends it. */
export function countStatements(databaseUrl: string) {
  if (!hooked) hook()
  let counted: Statement[] = []
  const counter = {
    database: new URL(databaseUrl).pathname.slice(1),
    add: (statement: Statement) => void counted.push(statement),
  }
  counters.add(counter)
  return {
    take() {
      const taken = counted
      counted = []
      return taken
    },
    stop: () => void counters.delete(counter),
  }
}

/** The statements as lines for people, each different one once with its number, in the order they were first sent. */
export function listed(statements: Statement[]): string {
  const units = Map.groupBy(statements, ({ unit, idle }) => (idle ? `${unit}, idle` : unit))
  return [...units]
    .map(([unit, all]) => {
      const texts = Map.groupBy(all, ({ sql }) => sql.replace(/\s+/g, ' ').trim())
      const lines = [...texts].map(([sql, same]) => `  ${same.length} × ${sql.slice(0, 150)}`)
      return [`${unit}: ${all.length}`, ...lines].join('\n')
    })
    .join('\n')
}

/** What a new connection says first belongs to no call: the next one finds it open. */
const isGreeting = (text: string) => text.startsWith('set statement_timeout')

function hook() {
  hooked = true
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
  const looks = new WeakMap<pg.Client, Look>()
  const counting = function (this: pg.Client, ...args: unknown[]) {
    const text = textOf(args[0])
    const { application_name: name, database } = connectionOf(this)
    const interested = [...counters].filter((counter) => counter.database === database)
    const isCounted =
      interested.length > 0 && text !== '' && name === 'postroom' && !isGreeting(text)
    const unit = isCounted ? currentUnit() : undefined
    const outcome = query.apply(this, args)
    if (!unit) return outcome
    const by = unit.isCall ? addressOf(unit.name) : unit.name
    for (const sql of parts(text)) {
      const statement: Statement = { sql, unit: by, idle: false }
      for (const { add } of interested) add(statement)
      if (by.endsWith('.ts')) watchLook(looks, this, statement, outcome)
    }
    return outcome
  }
  pg.Client.prototype.query = counting as typeof pg.Client.prototype.query
}

/** A transaction of a loop, or a statement outside of one, is idle if it found and changed no row. */
function watchLook(
  looks: WeakMap<pg.Client, Look>,
  client: pg.Client,
  statement: Statement,
  outcome: unknown,
) {
  const begins = /^(begin|start transaction)/i.test(statement.sql)
  const open = begins ? undefined : looks.get(client)
  const look = open ?? { statements: [], found: false }
  look.statements.push(statement)
  if (begins) looks.set(client, look)
  if (!(outcome instanceof Promise)) return
  outcome.then(
    (result: pg.QueryResult) => {
      if (!begins && (result?.rowCount ?? 0) > 0) look.found = true
      const ends = /^(commit|rollback$)/i.test(statement.sql)
      if (ends) looks.delete(client)
      if ((ends || (!begins && !open)) && !look.found)
        for (const one of look.statements) one.idle = true
    },
    () => {
      look.found = true
    },
  )
}

// A statement comes as its text, or as an object that has one.
const textOf = (query: unknown) =>
  typeof query === 'string' ? query : String((query as { text?: unknown })?.text ?? '')

// Several statements may be sent as one text.
const parts = (text: string) => (/\$\d/.test(text) ? [text] : text.split(/;\s*(?=\S)/))

const connectionOf = (client: pg.Client) =>
  (client as unknown as { connectionParameters: { application_name?: string; database?: string } })
    .connectionParameters

const addressOf = (call: string) =>
  call
    .replace(/\?.*/, '')
    .replace('/api/v1', '')
    .replace(/(?<=\/)(?:[a-z]{3}_[\w-]+|[\da-f]{8}-[\da-f-]{27})/g, '{id}')
