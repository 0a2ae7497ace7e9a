import { createHash } from 'node:crypto'
import { type SqlBool, sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
import type { OperationState } from './tables.ts'

/**
 * `<workspace>:<key>`, which is also the workflow id. A key of over 128 characters is replaced by its hash: a workflow id
 * longer than 255 bytes makes a start hang on Postgres-backed clusters.
 */
export function operationId(workspace: string, key: string): string {
  const short = key.length <= 128 ? key : `sha256-${createHash('sha256').update(key).digest('hex')}`
  return `${workspace}:${short}`
}

export type NewOperation = {
  id: string
  workspace: string
  key: string
  kind: string
  fingerprint: string
  /** The id of the token that made the call. */
  token?: string
  /** The call had no key, so nobody can repeat it. */
  keyless?: boolean
}

/**
 * Claims an operation's key until this transaction ends, without waiting: false if another transaction is carrying it out. For
 * any row, the transaction then waits at most `rowWaitMs`.
 */
export async function claimKey(trx: Trx, id: string, rowWaitMs: number): Promise<boolean> {
  const { rows } = await sql<{ claimed: SqlBool }>`
    select set_config('lock_timeout', ${String(rowWaitMs)}, true),
      pg_try_advisory_xact_lock(hashtextextended(${`operation ${id}`}, 0)) as claimed`.execute(trx)
  return rows[0]?.claimed === true
}

/** Takes the key for this transaction; false if another has taken it (and has committed). */
export async function insertOperation(trx: Trx, operation: NewOperation): Promise<boolean> {
  const now = new Date()
  const row = await trx
    .insertInto('operations')
    .values({ ...operation, state: 'accepted', acceptedAt: now, lastUsedAt: now })
    .onConflict((oc) => oc.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export type OperationRow = NonNullable<Awaited<ReturnType<typeof findOperation>>>

export const findOperation = (db: Db, id: string) =>
  db.selectFrom('operations').selectAll().where('id', '=', id).executeTakeFirst()

/** Whether an operation has ended. An open one cannot end until this transaction does. */
export const lockOperation = (trx: Trx, id: string) =>
  trx.selectFrom('operations').select('endedAt').where('id', '=', id).forUpdate().executeTakeFirst()

/** Stores the answer of the accepting transaction. An operation without a workflow ends here. */
export async function answerOperation(
  trx: Trx,
  id: string,
  answer: {
    status: number
    body: string
    /** What operations/{key} shows if that is not the body. */
    result?: string
    workflow: boolean
    resource?: string
    now: Date
  },
) {
  const ended = !answer.workflow
  await trx
    .updateTable('operations')
    .set({
      answerStatus: answer.status,
      answerBody: answer.body,
      resource: answer.resource ?? null,
      ...(ended && {
        state: answer.status < 400 ? ('done' as const) : ('failed' as const),
        result: answer.result ?? answer.body,
        startedAt: answer.now,
        endedAt: answer.now,
      }),
    })
    .where('id', '=', id)
    .execute()
}

/** Marks an operation as one whose answer its workflow will write. */
export async function awaitAnswer(trx: Trx, id: string, resource?: string) {
  await trx
    .updateTable('operations')
    .set({ awaited: true, resource: resource ?? null })
    .where('id', '=', id)
    .execute()
}

/** Stores the answer for a waiting caller unless there already is one; every repeat gets the stored answer. */
export async function settleAnswer(db: Db, id: string, answer: { status: number; body: string }) {
  await db
    .updateTable('operations')
    .set({ answerStatus: answer.status, answerBody: answer.body })
    .where('id', '=', id)
    .where('answerBody', 'is', null)
    .execute()
}

const hourMs = 60 * 60_000

/** Notes, at most hourly, that an operation's answer was asked for again: it is kept for weeks after that. */
export async function touchOperation(db: Db, operation: Pick<OperationRow, 'id' | 'lastUsedAt'>) {
  if (Date.now() - operation.lastUsedAt.getTime() < hourMs) return
  await db
    .updateTable('operations')
    .set({ lastUsedAt: new Date() })
    .where('id', '=', operation.id)
    .where('lastUsedAt', '<', new Date(Date.now() - hourMs))
    .execute()
}

export const operationDispatched = async (db: Db, workspace: string, id: string) =>
  (await db
    .selectFrom('outbox')
    .select('id')
    .where('workspace', '=', workspace)
    .where('operation', '=', id)
    .where('kind', '=', 'start')
    .where('dispatchedAt', 'is', null)
    .executeTakeFirst()) === undefined

// Activities call the functions below: the workflow's side of its operation.

/**
 * Claims an operation for the run that executes it, by compare-and-set on firstExecutionRunId: it survives an operator's
 * reset and continue-as-new, and differs for a fresh start. False: another run owns it, and the caller ends as a no-op.
 */
export async function claimOperation(
  db: Db,
  id: string,
  run: { firstExecutionRunId: string; runId: string },
  now: Date,
): Promise<boolean> {
  const row = await db
    .updateTable('operations')
    .set((eb) => ({
      ownerRun: run.firstExecutionRunId,
      runId: run.runId,
      state: 'running',
      startedAt: eb.fn.coalesce('startedAt', eb.val(now)),
    }))
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .where((eb) =>
      eb.or([eb('ownerRun', 'is', null), eb('ownerRun', '=', run.firstExecutionRunId)]),
    )
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Notes what an open operation waits for and, if known, until when. */
export const operationWaits = (
  db: Db,
  id: string,
  waitingFor: string,
  waitingUntil: Date | null = null,
) => noteState(db, id, { state: 'waiting', waitingFor, waitingUntil })

/** Notes that an open operation waits for nothing. */
export const operationRuns = (db: Db, id: string) =>
  noteState(db, id, { state: 'running', waitingFor: null, waitingUntil: null })

async function noteState(
  db: Db,
  id: string,
  state: { state: OperationState; waitingFor: string | null; waitingUntil: Date | null },
) {
  await db
    .updateTable('operations')
    .set(state)
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .execute()
}

export async function operationProgress(db: Db, id: string, done: number, total: number) {
  await db
    .updateTable('operations')
    .set({ progressDone: done, progressTotal: total })
    .where('id', '=', id)
    .execute()
}

/**
 * Ends an operation with its result and, if a caller waits for one, its answer. Ending it twice changes nothing. `answer.body`
 * is serialised once here, so every repeat reads the same bytes.
 */
export async function endOperation(
  db: Db,
  id: string,
  end: {
    state: Extract<OperationState, 'done' | 'failed' | 'cancelled'>
    result: unknown
    status?: number
  },
  now: Date,
) {
  const body = JSON.stringify(end.result ?? null)
  await db
    .updateTable('operations')
    .set((eb) => ({
      state: end.state,
      result: body,
      waitingFor: null,
      waitingUntil: null,
      endedAt: now,
      // The row is kept longer than Temporal keeps the workflow, whose retention begins now.
      lastUsedAt: new Date(),
      ...(end.status !== undefined && {
        answerStatus: eb.fn.coalesce('answerStatus', eb.val(end.status)),
        answerBody: eb.fn.coalesce('answerBody', eb.val(body)),
      }),
    }))
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .execute()
  await sql`select pg_notify('operation', ${id})`.execute(db)
}
