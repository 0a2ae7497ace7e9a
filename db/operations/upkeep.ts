import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
import { forgetInPages, forgottenAtOnce, type Looked } from '../forgetting.ts'
import { inMs } from '../instants.ts'
import { enqueueStoredStart } from './outbox.ts'

// Upkeep: operations whose workflow has gone, rows that are old enough to delete, and restarts.

/**
 * Open operations that were started at least `olderThanMs` ago (real time, because leases are), by id after `after`: either
 * those that wait for no moment later than `now`, or the others.
 */
export const listOpenOperations = (
  db: Db,
  { after, olderThanMs, limit }: { after: string; olderThanMs: number; limit: number },
  { isDue, now }: { isDue: boolean; now: Date },
) =>
  db
    .selectFrom('operations')
    .select(['id', 'workspace', 'workflowType', 'waitingFor'])
    .where('workflowType', 'is not', null)
    .where('endedAt', 'is', null)
    .where('acceptedAt', '<', inMs(-olderThanMs))
    .where('id', '>', after)
    .where((eb) =>
      isDue
        ? eb.or([eb('waitingUntil', 'is', null), eb('waitingUntil', '<=', now)])
        : eb('waitingUntil', '>', now),
    )
    .where(sql<SqlBool>`not exists (select from outbox o
      where o.operation = operations.id and o.kind = 'start' and o.dispatched_at is null)`)
    .orderBy('id')
    .limit(limit)
    .execute()

/** Notes in the operation that only an operator can continue it. */
export const markOrphaned = (db: Db, id: string) =>
  db
    .updateTable('operations')
    .set({ state: 'waiting', waitingFor: 'restart', waitingUntil: null })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .execute()

export type Orphaned = Awaited<ReturnType<typeof listOrphaned>>[number]

/** Operations that wait for an operator to continue them, by id after `after`. */
export const listOrphaned = (
  db: Db,
  { workspace, after, limit }: { workspace?: string | undefined; after: string; limit: number },
) =>
  db
    .selectFrom('operations')
    .select(['id', 'workspace', 'key', 'workflowType', 'acceptedAt'])
    .where('waitingFor', '=', 'restart')
    .where('endedAt', 'is', null)
    .where('id', '>', after)
    .$if(workspace !== undefined, (query) => query.where('workspace', '=', workspace as string))
    .orderBy('id')
    .limit(limit)
    .execute()

const keylessKeepMs = 24 * 60 * 60_000
// A start stays for as long as its operation may be started again. A signal that was carried out is of no use to anybody; for a day, it
// shows an operator what was sent.
const signalKeepMs = 24 * 60 * 60_000
// Each of these rows holds a file.
const filesAtOnce = 50

/**
 * Deletes what is past its time: an operation `keepMs` after its last use (the end of its workflow counts as one), or after a
 * day if it came without a key and nobody can ask for it again; commands of ended operations that were carried out, signals after a day; files of
 * finished imports; events with their deliveries. It never deletes open operations, which may be restarted. It works in batches
 * and calls `beat` between two of them.
 */
export async function forgetOld(db: Db, keepMs: number, beat: () => void = () => {}) {
  const before = new Date(Date.now() - keepMs)
  /** Deletes the rows of a batch, and repeats until there are no more. */
  const inBatches = async (most: number, forget: (limit: number) => Promise<{ id: string }[]>) => {
    for (let all = 0; ; ) {
      const gone = await forget(most)
      all += gone.length
      beat()
      if (gone.length < most) return all
    }
  }
  // The ids come first, as an array: for a limit that it does not know, Postgres would go through the whole table beside it.
  const ended = (limit: number, olderThan: Date, keyless: boolean) =>
    db
      .deleteFrom('operations')
      .where(
        isOneOf(sql`select id from operations
          where ended_at is not null and keyless = ${keyless} and last_used_at < ${olderThan} limit ${sql.lit(limit)}`),
      )
      .returning('id')
      .execute()
  const signalsBefore = new Date(Date.now() - Math.min(keepMs, signalKeepMs))
  const keylessBefore = new Date(Date.now() - Math.min(keepMs, keylessKeepMs))
  const operations =
    (await inBatches(forgottenAtOnce, (limit) => ended(limit, before, false))) +
    (await inBatches(forgottenAtOnce, (limit) => ended(limit, keylessBefore, true)))
  const signals = await inBatches(forgottenAtOnce, (limit) =>
    db
      .deleteFrom('outbox')
      .where(
        isOneOf(sql`select id from outbox
          where kind = 'signal' and dispatched_at < ${signalsBefore} order by dispatched_at limit ${sql.lit(limit)}`),
      )
      .returning('id')
      .execute(),
  )
  const commands = signals + (await forgetStarts(db, before, beat))
  await inBatches(filesAtOnce, (limit) =>
    db
      .updateTable('imports')
      .set({ content: null })
      .where('operation', 'in', (eb) =>
        eb
          .selectFrom('imports')
          .select('operation')
          .where('content', 'is not', null)
          .where(
            sql<SqlBool>`exists (select from operations o where o.id = imports.operation and o.ended_at is not null)`,
          )
          .limit(limit),
      )
      .returning('operation as id')
      .execute(),
  )
  const events = await inBatches(forgottenAtOnce, (limit) =>
    db
      .deleteFrom('events')
      .where(
        isOneOf(sql`select id from events where recorded_at < ${before} limit ${sql.lit(limit)}`),
      )
      .returning('id')
      .execute(),
  )
  return { events, operations, commands }
}

const isOneOf = (ids: RawBuilder<unknown>) => sql<SqlBool>`id = any(array(${ids}))`

/** Those of open operations stay, however many there are. "Offset 0" has an operation looked up for each start, whatever Postgres expects. */
const forgetStarts = (db: Db, before: Date, beat: () => void) =>
  forgetInPages(
    '0',
    async (at, id) => {
      const { rows } = await sql<Looked>`
        with past as materialized (
          select id, dispatched_at, not exists (
            select from operations o where o.id = outbox.operation and o.ended_at is null offset 0) as gone
          from outbox where dispatched_at < ${before} and dispatched_at >= ${at}::timestamptz and (dispatched_at, id) > (${at}::timestamptz, ${id}::bigint)
          order by dispatched_at, id limit ${forgottenAtOnce}),
        forgotten as (delete from outbox where id = any(array(select id from past where gone)))
        select dispatched_at::text as at, id, gone from past order by dispatched_at, id`.execute(db)
      return rows
    },
    beat,
  )

/**
 * Starts an open operation again: its owner is cleared, so that the new run may claim it, and its first start is put into the
 * outbox once more. Undefined if there is nothing to start again.
 */
export async function restartOperation(trx: Trx, id: string): Promise<string | undefined> {
  const operation = await trx
    .selectFrom('operations')
    .select(['id', 'workflowType'])
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  const start = await trx
    .selectFrom('outbox')
    .selectAll()
    .where('operation', '=', id)
    .where('kind', '=', 'start')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!operation?.workflowType || !start?.workflowType) return undefined
  // A start that Temporal refused must not count as pending: callers would be told to try again later, without end.
  await trx
    .deleteFrom('outbox')
    .where('operation', '=', id)
    .where('kind', '=', 'start')
    .where('deadAt', 'is not', null)
    .execute()
  await trx
    .updateTable('operations')
    .set({ ownerRun: null, state: 'accepted', waitingFor: null, waitingUntil: null })
    .where('id', '=', id)
    .execute()
  await enqueueStoredStart(trx, {
    type: start.workflowType,
    workflowId: start.workflowId,
    args: start.args,
    attributes: start.attributes,
    operation: id,
    restart: true,
  })
  return start.workflowType
}

export function findOperationsByKey(db: Db, key: string, workspace?: string) {
  const found = db
    .selectFrom('operations')
    .select(['id', 'state', 'endedAt', 'workflowType', 'waitingFor'])
    .where('key', '=', key)
  return (workspace === undefined ? found : found.where('workspace', '=', workspace)).execute()
}
