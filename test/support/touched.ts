import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import { type Db, databaseOn } from '../../db/database.ts'

// What statements cost, without a clock: how many pages of tables and indexes they read, and how many rows.

/** Pages of 8 KB that were read, and rows that came out of tables and indexes, those included that a filter then dropped. */
export type Touched = { pages: number; rows: number; plan: string }
type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: PlanNode[]
}

/** How prepared statements are planned: for the values of each call, or once for all (after five calls, Postgres chooses). */
type Planning = 'force_custom_plan' | 'force_generic_plan'

/**
 * A database whose statements are noted and can be explained. Explaining executes a statement again, so only those that read
 * are explained.
 */
export function openExplained(url: string) {
  const pool = new pg.Pool({ connectionString: url, max: 1, pipeline: true })
  const noted: CompiledQuery[] = []
  const db = databaseOn(pool, ({ query }) => void noted.push(query))
  return {
    db,
    close: () => db.destroy(),
    /** What the statements of `work` touch under each way of planning; the work itself is carried out once. */
    async touched(
      work: (db: Db) => Promise<unknown>,
      plannings: Planning[] = ['force_custom_plan', 'force_generic_plan'],
    ) {
      noted.length = 0
      await work(db)
      const statements = [...noted]
      const client = await pool.connect()
      try {
        const all: Touched[] = []
        for (const planning of plannings) {
          const plans = []
          for (const statement of statements) plans.push(await explain(client, statement, planning))
          all.push(sum(plans))
        }
        return all
      } finally {
        client.release()
      }
    },
  }
}

async function explain(client: pg.PoolClient, { sql, parameters }: CompiledQuery, how: Planning) {
  await client.query(`set plan_cache_mode = ${how}`)
  await client.query(`prepare explained as ${sql}`)
  try {
    const values = parameters.map(literalOf).join(', ')
    const { rows } = await client.query(
      `explain (analyze, buffers, timing off, format json) execute explained${values && ` (${values})`}`,
    )
    return rows[0]['QUERY PLAN'][0].Plan as PlanNode
  } finally {
    await client.query('deallocate explained')
  }
}

function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString())
  if (Buffer.isBuffer(value)) return pg.escapeLiteral(`\\x${value.toString('hex')}`)
  if (Array.isArray(value))
    return value.length ? `array[${value.map(literalOf).join(', ')}]` : `'{}'`
  return pg.escapeLiteral(String(value))
}

function sum(plans: PlanNode[]): Touched {
  const nodes = plans.flatMap(nodesOf)
  const pages = plans.map((plan) => plan['Shared Hit Blocks'] + plan['Shared Read Blocks'])
  const rows = nodes.filter(isScan).map(rowsOf)
  const total = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0)
  return { pages: total(pages), rows: Math.round(total(rows)), plan: nodes.map(lineOf).join('\n') }
}

const nodesOf = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

const isScan = (node: PlanNode) =>
  node['Relation Name'] !== undefined || node['Index Name'] !== undefined

const rowsOf = (node: PlanNode) =>
  node['Actual Loops'] *
  (node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0))

const lineOf = (node: PlanNode) => {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index } = node
  return [type, table, index, node['Actual Loops'], '×', node['Actual Rows'], 'rows']
    .filter((part) => part !== undefined)
    .join(' ')
}
