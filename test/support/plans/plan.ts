import type pg from 'pg'
import { largeTables } from './large.ts'

// The plan of a statement for any values, as Postgres keeps it for a prepared one, and which large tables it reads from end to end.

type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Filter?: string
  Plans?: PlanNode[]
}

/** A large table that a statement reads whole, or the rows of a whole workspace for the sake of a few ids, and how. */
export type Whole = { table: string; how: string }

/** Only these have a plan. */
export const isPlanned = (text: string) =>
  /^\s*\(*\s*(?:select|insert|update|delete|with|merge)\b/i.test(text)

const large = new Set(largeTables)
/** SQLSTATE of a table, a column or a function that is not there: statements of a schema that a test has made for itself. */
const ofOtherSchemas = new Set(['42P01', '42703', '42883', '3F000'])

/** `atSize`: there are so many rows that plans are those of a large deployment. @throws what Postgres says of a statement that is none. */
export async function wholeReadsOf(
  client: pg.Client,
  statement: string,
  indexes: Indexes,
  atSize = false,
): Promise<Whole[]> {
  try {
    const { rows } = await client.query(`explain (generic_plan, format json) ${statement}`)
    const { Plan: plan } = rows[0]['QUERY PLAN'][0]
    return [...wholeReads(plan, indexes, false), ...(atSize ? readsForIds(plan, indexes) : [])]
  } catch (error) {
    if (ofOtherSchemas.has((error as { code?: string }).code ?? '')) return []
    throw error
  }
}

/** Has Postgres read tables from end to end only where it has no other way, which it then has on no rows at all. */
export const withoutWholeReads =
  'set enable_seqscan = off; set enable_mergejoin = off; set enable_hashjoin = off'

export type Indexes = ReadonlyMap<string, Index>
type Index = {
  table: string
  /** It has a condition: it holds what is looked for, and not its whole table. */
  partial: boolean
  first: string
  /** Its first two columns find a row by its id. */
  byId: boolean
}

export async function readIndexes(client: pg.Client): Promise<Indexes> {
  const { rows } = await client.query<Index & { name: string }>(`
    select i.indexrelid::regclass::text as name, i.indrelid::regclass::text as table, i.indpred is not null as partial,
      pg_get_indexdef(i.indexrelid, 1, true) as first,
      'id' in (pg_get_indexdef(i.indexrelid, 1, true), pg_get_indexdef(i.indexrelid, 2, true)) as "byId"
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = 'public'::regnamespace`)
  return new Map(rows.map(({ name, ...index }) => [name, index]))
}

/** Whether an index begins with what is asked for. Among few rows another one may be as good, which is passed in jumps. */
const hasServing = (indexes: Indexes, of: string, condition: string) =>
  [...indexes.values()].some(({ table, first }) => table === of && condition.includes(first))

/**
 * An index is read whole too where nothing says of its first column from where to where. Within a limit it is a walk in the order of a
 * list, which ends when the page is full.
 */
function wholeReads(node: PlanNode, indexes: Indexes, isLimited: boolean, asked = ''): Whole[] {
  const { 'Node Type': type, 'Relation Name': relation, 'Index Name': name = '' } = node
  const limited = isLimited || type === 'Limit'
  // What a bitmap leaves to be compared is asked by its parent.
  const filter = `${asked} ${node.Filter ?? ''}`
  const own = type === 'Bitmap Heap Scan' ? filter : ''
  const below = (node.Plans ?? []).flatMap((plan) => wholeReads(plan, indexes, limited, own))
  const index = indexes.get(name)
  const table = relation ?? index?.table ?? ''
  if (!large.has(table)) return below
  if (type === 'Seq Scan') return [{ table, how: `${table} from end to end` }, ...below]
  const isWhole =
    index && !index.partial && !hasServing(indexes, table, `${node['Index Cond'] ?? ''} ${filter}`)
  if (isWhole && !limited) return [{ table, how: `all of ${name}` }, ...below]
  return below
}

/** Where rows are known by their ids, and are found by going through all that another column has. */
function readsForIds(node: PlanNode, indexes: Indexes): Whole[] {
  const below = (node.Plans ?? []).flatMap((plan) => readsForIds(plan, indexes))
  const { 'Index Name': name = '', 'Index Cond': condition = '' } = node
  const index = indexes.get(name)
  if (!index || !large.has(index.table) || index.byId || !/\(id = /.test(condition)) return below
  return [{ table: index.table, how: `a whole workspace for some ids, by ${name}` }, ...below]
}
