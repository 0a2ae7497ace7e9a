import { type SqlBool, sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
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
// The number of rows for each transaction: readers of events wait for open transactions.
const forgottenAtOnce = 1_000
// Each of these rows holds a file.
const filesAtOnce = 50

/**
 * Deletes what is past its time: an operation `keepMs` after its last use (the end of its workflow counts as one), or after a
 * day if it came without a key and nobody can ask for it again; commands of ended operations that were carried out; files of
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
  const ended = (limit: number, olderThan: Date, keyless: boolean) =>
    db
      .deleteFrom('operations')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('operations')
          .select('id')
          .where('endedAt', 'is not', null)
          .where('lastUsedAt', '<', olderThan)
          .where('keyless', '=', keyless)
          .limit(limit),
      )
      .returning('id')
      .execute()
  const keylessBefore = new Date(Date.now() - Math.min(keepMs, keylessKeepMs))
  const operations =
    (await inBatches(forgottenAtOnce, (limit) => ended(limit, before, false))) +
    (await inBatches(forgottenAtOnce, (limit) => ended(limit, keylessBefore, true)))
  const commands = await inBatches(forgottenAtOnce, (limit) =>
    db
      .deleteFrom('outbox')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('outbox')
          .select('id')
          .where('dispatchedAt', '<', before)
          .where(sql<SqlBool>`not exists (select from operations o
            where o.id = outbox.operation and o.ended_at is null)`)
          .limit(limit),
      )
      .returning('id')
      .execute(),
  )
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
      .where('id', 'in', (eb) =>
        eb.selectFrom('events').select('id').where('recordedAt', '<', before).limit(limit),
      )
      .returning('id')
      .execute(),
  )
  return { events, operations, commands }
}

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
