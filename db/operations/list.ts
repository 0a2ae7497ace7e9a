import { type SqlBool, sql } from 'kysely'
import type { Db } from '../database.ts'
import { adminTokenPrefix, type OperationRow } from './operations.ts'
import type { OperationState } from './tables.ts'

export type OperationFilter = {
  state?: OperationState | undefined
  /** The workflow, or the action of a change. */
  kind?: string | undefined
  /** Accepted at this time or later, by the machine's clock. */
  from?: Date | undefined
}

// No index has states and kinds, so a page looks at so many at most, and may hold fewer than it could.
const mostScanned = 2_000

const columns = [
  ...['id', 'kind', 'workflow_type', 'run_id', 'state', 'progress_done', 'progress_total'],
  ...[
    'waiting_for',
    'waiting_until',
    'waiting_why',
    'result',
    'accepted_at',
    'started_at',
    'ended_at',
  ],
]
export type ListedOperation = Pick<
  OperationRow,
  | 'id'
  | 'kind'
  | 'workflowType'
  | 'runId'
  | 'state'
  | 'progressDone'
  | 'progressTotal'
  | 'waitingFor'
  | 'waitingUntil'
  | 'waitingWhy'
  | 'result'
  | 'acceptedAt'
  | 'startedAt'
  | 'endedAt'
>

/** The operations of a workspace, newest first, without calls to the administration. `next`: the place where to continue; undefined at the end. */
export async function listOperations(
  db: Db,
  workspace: string,
  { state, kind, from }: OperationFilter,
  after: readonly [at: string, id: string] | undefined,
  limit: number,
) {
  const isFiltered = state !== undefined || kind !== undefined
  const scanned = isFiltered ? mostScanned : limit + 1
  const fits = sql<SqlBool>`${state === undefined ? sql`true` : sql`state = ${state}`}
    and ${kind === undefined ? sql`true` : sql`coalesce(workflow_type, kind) = ${kind}`}`
  const { rows } = await sql<ListedOperation & { fits: boolean; last: boolean; n: string }>`
    select * from (
      select *, ${fits} as fits, lead(id) over in_order is null as last, row_number() over in_order as n
      from (
        select ${sql.join(columns.map((name) => sql.ref(name)))} from operations
        where workspace = ${workspace} and not starts_with(coalesce(token, ''), ${adminTokenPrefix})
          ${from ? sql`and accepted_at >= ${from}` : sql``}
          ${after ? sql`and (accepted_at, id) < (${after[0]}::timestamptz, ${after[1]})` : sql``}
        order by accepted_at desc, id desc limit ${sql.lit(scanned)}) as scanned
      window in_order as (order by accepted_at desc, id desc)) as numbered
    where last or fits
    order by n limit ${limit + 1}`.execute(db)
  const found = rows.filter((row) => row.fits)
  const end = rows.at(-1)
  const last =
    found.length > limit
      ? found[limit - 1]
      : end?.last && Number(end.n) === scanned
        ? end
        : undefined
  return {
    items: found.slice(0, limit),
    next: last && ([last.acceptedAt, last.id] as const),
  }
}
