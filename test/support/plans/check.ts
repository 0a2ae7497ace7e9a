import { withClient } from '../../../dev/stack/postgres.ts'
import { exceptions } from './exceptions.ts'
import { keepStatement, keptStatements } from './kept.ts'
import { isPlanned, readIndexes, wholeReadsOf, withoutWholeReads } from './plan.ts'

// Every statement that the service's pools carry out during a run of the tests has an index for each large table that it reads. Where
// Postgres is told to read no table from end to end, and does so all the same, there is none.

const seen = new Set<string>()
let noted: { statement: string; by: string }[] = []

/** Lists of other lengths are the same statement. */
const shapeOf = (statement: string) =>
  statement
    .replace(/\$\d+/g, '$')
    .replace(/\s+/g, ' ')
    .replace(/(\$(::[\w[\]]+)?)(, \$(::[\w[\]]+)?)+/g, '$1')
    .replace(/(\([$, ]*\))(, \([$, ]*\))+/g, '$1')

/** Notes a statement, of which `by` is the call, the activity or the loop. */
export function noteStatement(statement: string, by: string) {
  if (seen.has(statement)) return
  seen.add(statement)
  const shape = shapeOf(statement)
  if (shape !== statement && seen.has(shape)) return
  seen.add(shape)
  if (isPlanned(statement)) noted.push({ statement, by })
}

/**
 * What the statements since the last call read whole that no exception names. `ofRows` makes a database with rows of everything, by
 * whose statistics Postgres joins tables in the order in which it would where there are many.
 */
export async function takeWholeReads(ofRows: () => Promise<string>): Promise<string[]> {
  const all = noted
  noted = []
  if (all.length === 0) return []
  return withClient(await ofRows(), async (client) => {
    await client.query(withoutWholeReads)
    const indexes = await readIndexes(client)
    const lines: string[] = []
    for (const { statement, by } of all) {
      keepStatement(statement)
      if (exceptions.some(({ sql }) => sql.test(statement))) continue
      for (const { how } of await wholeReadsOf(client, statement, indexes))
        lines.push(`${how}, in ${by}\n  ${statement.replace(/\s+/g, ' ')}`)
    }
    return lines
  })
}

/** Smaller tables are read as quickly without an index. */
const fewRows = 100_000

/** The same of all statements that tests have seen on this machine, on rows and by plans as they are. */
export async function readWholeAtSize(url: string): Promise<{ read: number; whole: string[] }> {
  const statements = keptStatements()
  return withClient(url, async (client) => {
    const indexes = await readIndexes(client)
    const { rows } = await client.query<{ name: string }>(
      'select relname as name from pg_class where reltuples >= $1',
      [fewRows],
    )
    const long = new Set(rows.map(({ name }) => name))
    const whole: string[] = []
    for (const statement of statements) {
      if (exceptions.some(({ sql }) => sql.test(statement))) continue
      for (const { table, how } of await wholeReadsOf(client, statement, indexes, true))
        if (long.has(table)) whole.push(`  ${how}\n    ${statement.replace(/\s+/g, ' ')}`)
    }
    return { read: statements.length, whole }
  })
}
