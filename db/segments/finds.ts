import type { Selectable } from 'kysely'
import type { Db, Trx } from '../database.ts'
import { newId } from '../ids.ts'
import type { FindChannel, FindRuns } from './tables.ts'

// Finds: the input of a call, the walk through the results, and what a segment remembers of its last find.

export type Filters = Record<string, unknown>
export type FindRow = NonNullable<Awaited<ReturnType<typeof findFind>>>
export type RunRow = Selectable<FindRuns>

export type NewFind = {
  operation: string
  segment: string
  channel: FindChannel
  words?: string | undefined
  filters?: Filters | undefined
  run?: string
  want?: number
}

const asJson = (filters: Filters | null | undefined) => (filters ? JSON.stringify(filters) : null)

export const insertFind = (trx: Trx, find: NewFind) =>
  trx
    .insertInto('finds')
    .values({ ...find, filters: asJson(find.filters) })
    .execute()

/** The input of a call, with its segment's workspace and query; undefined if the segment was deleted. */
export const findFind = (db: Db, operation: string) =>
  db
    .selectFrom('finds')
    .innerJoin('segments', 'segments.id', 'finds.segment')
    .selectAll('finds')
    .select(['segments.workspace', 'segments.query'])
    .where('operation', '=', operation)
    .executeTakeFirst()

export const countFound = (
  trx: Trx,
  operation: string,
  counts: { added: number; existing: number },
) => trx.updateTable('finds').set(counts).where('operation', '=', operation).execute()

/** A find/add that gives no filters of its own uses these. */
export const rememberFind = (
  db: Db,
  segment: string,
  { channel, filters }: { channel: FindChannel; filters: Filters },
) =>
  db
    .updateTable('segments')
    .set({ foundChannel: channel, foundFilters: JSON.stringify(filters) })
    .where('id', '=', segment)
    .execute()

/** Begins a walk and answers its id. Without filters, the first call makes them from the segment's words. */
export async function insertRun(
  trx: Trx,
  run: { segment: string; channel: FindChannel; filters: Filters | null },
  now: Date,
): Promise<string> {
  const id = newId('run')
  await trx
    .insertInto('findRuns')
    .values({ ...run, id, filters: asJson(run.filters), createdAt: now })
    .execute()
  return id
}

export const findRun = (db: Db, segment: string, id: string) =>
  db
    .selectFrom('findRuns')
    .selectAll()
    .where('segment', '=', segment)
    .where('id', '=', id)
    .executeTakeFirst()

export const lockRun = (trx: Trx, id: string) =>
  trx.selectFrom('findRuns').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** Stores the filters of a walk; the first call to do so decides. */
export const settleRun = (db: Db, id: string, found: { filters: Filters; count: number }) =>
  db
    .updateTable('findRuns')
    .set({ filters: JSON.stringify(found.filters), total: found.count })
    .where('id', '=', id)
    .where('total', 'is', null)
    .execute()

/** Moves a walk past a page of `people`; a null cursor ends it. */
export const moveRun = (trx: Trx, run: RunRow, cursor: string | null, people: number) =>
  trx
    .updateTable('findRuns')
    .set({ cursor, step: run.step + 1, seen: run.seen + people, ended: cursor === null })
    .where('id', '=', run.id)
    .execute()

/** How many people are still to come: at least one until the finder has said that there are no more. */
export const remainingOf = ({ ended, total, seen }: RunRow): number =>
  ended ? 0 : Math.max(1, (total ?? 0) - seen)
