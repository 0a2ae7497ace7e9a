import { createHash } from 'node:crypto'
import { type SqlBool, sql } from 'kysely'
import { gathered } from '../../process/limits/gather.ts'
import type { Builder, Db, Trx } from '../database.ts'
import type { OperationState } from './tables.ts'

/**
 * `<workspace>:<key>`, which is also the workflow id. A key of over 128 characters is replaced by its hash: a workflow id
 * longer than 255 bytes makes a start hang on Postgres-backed clusters.
 */
export const operationId = (workspace: string, key: string) => `${workspace}:${shortKey(key)}`

export const shortKey = (key: string) =>
  key.length <= 128 ? key : `sha256-${createHash('sha256').update(key).digest('hex')}`

/** The key of an operation, by its id; null if the id has only a hash of it. */
export function keyOfOperation(operation: string): string | null {
  const key = operation.slice(operation.indexOf(':') + 1)
  return key.startsWith('sha256-') ? null : key
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
  /** The type of the workflow that carries it out. An operation without one ends with its answer. */
  workflowType?: string | undefined
  answer?: NewAnswer | undefined
  /** Its workflow will give the answer. */
  awaited?: boolean
  resource?: string | undefined
}

type NewAnswer = {
  status: number
  body: string
  /** What operations/{key} shows if that is not the body. */
  result?: string
  /** On the business clock. */
  at: Date
}

/**
 * Claims an operation's key until this transaction ends, without waiting: `held` if another transaction is carrying it out,
 * `taken` if one has. Had the other one committed while this statement ran, the insert below would fail.
 */
export async function claimKey(trx: Trx, id: string): Promise<'claimed' | 'held' | 'taken'> {
  const { rows } = await sql<{ claimed: boolean; taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`operation ${id}`}, 0)) as claimed,
      exists (select from operations where id = ${id}) as taken`.execute(trx)
  if (!rows[0]?.claimed) return 'held'
  return rows[0].taken ? 'taken' : 'claimed'
}

/** The insert of operations, with their answers if those are known. It fails if a key was taken (isOvertaken). */
export const operationRows = (operations: NewOperation[]) => sql`
  insert into operations (id, workspace, key, kind, fingerprint, token, keyless, workflow_type, awaited, resource, state,
    answer_status, answer_body, result, accepted_at, last_used_at, started_at, ended_at)
  values ${sql.join(operations.map(operationRow))}`

function operationRow({ answer, ...operation }: NewOperation) {
  const { id, workspace, key, kind, fingerprint, token, keyless, workflowType, awaited } = operation
  // Others compare it, whose machines have clocks of their own.
  const now = sql`statement_timestamp()`
  const end = workflowType === undefined ? answer : undefined
  const state: OperationState = end ? (end.status < 400 ? 'done' : 'failed') : 'accepted'
  return sql`(${id}, ${workspace}, ${key}, ${kind}, ${fingerprint}, ${token}, ${keyless ?? false}, ${workflowType},
    ${awaited ?? false}, ${operation.resource}, ${state}, ${answer?.status}, ${answer?.body},
    ${end && (end.result ?? end.body)}, ${now}, ${now}, ${end?.at}, ${end?.at})`
}

/** Takes the key; false if it was taken. */
export async function insertOperation(db: Db, operation: NewOperation): Promise<boolean> {
  const { rows } =
    await sql`${operationRows([operation])} on conflict (id) do nothing returning id`.execute(db)
  return rows.length > 0
}

/** Operations with keys of our own, which nobody has taken. */
export async function insertOperations(db: Db, operations: NewOperation[]): Promise<void> {
  if (operations.length > 0) await operationRows(operations).execute(db)
}

export type OperationRow = NonNullable<Awaited<ReturnType<typeof findOperation>>>

export const findOperation = (db: Db, id: string) =>
  db.selectFrom('operations').selectAll().where('id', '=', id).executeTakeFirst()

/** The operation of a call, by its key or by its whole id. Should a key look like the id of another call, the key counts. */
export function findOperationNamed(db: Db, workspace: string, name: string) {
  const id = operationId(workspace, name)
  return db
    .selectFrom('operations')
    .selectAll()
    .where('workspace', '=', workspace)
    .where('id', 'in', [id, name])
    .orderBy((eb) => eb('id', '=', id), 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Whether an operation of a workspace has ended, or is not there any more. */
export const hasEnded = gathered<Db, string, boolean>(async (db, workspace, ids) => {
  const rows = await db
    .selectFrom('operations')
    .select('id')
    .where('workspace', '=', workspace)
    .where('id', 'in', [...new Set(ids)])
    .where('endedAt', 'is', null)
    .execute()
  const open = new Set(rows.map(({ id }) => id))
  return ids.map((id) => !open.has(id))
})

/** Whether a call to the administration made it: the ids of those tokens begin like this. */
export const isAdministrative = ({ token }: Pick<OperationRow, 'token'>): boolean =>
  token?.startsWith(adminTokenPrefix) ?? false

export const adminTokenPrefix = 'tka_'

/** Whether an operation has ended. An open one cannot end until this transaction does. */
export const lockOperation = (trx: Trx, id: string) =>
  trx.selectFrom('operations').select('endedAt').where('id', '=', id).forUpdate().executeTakeFirst()

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
export const claimOperation = async (db: Db, id: string, run: Run, now: Date): Promise<boolean> =>
  (await claimingOperation(db, id, run, now).executeTakeFirst()) !== undefined

export type Run = { firstExecutionRunId: string; runId: string }

/** Of a row of operations: it is open, and belongs to this run or to none. */
const isFreeFor = (firstExecutionRunId: string) => sql<SqlBool>`ended_at is null
  and (owner_run is null or owner_run = ${firstExecutionRunId})`

/** The statement of claimOperation, which returns a row if the run owns the operation. */
export const claimingOperation = (
  db: Builder,
  id: string,
  run: Run,
  now: Date,
  state = sql<OperationState>`'running'`,
) =>
  db
    .updateTable('operations')
    .set((eb) => ({
      ownerRun: run.firstExecutionRunId,
      runId: run.runId,
      state,
      startedAt: eb.fn.coalesce('startedAt', eb.val(now)),
    }))
    .where('id', '=', id)
    .where(isFreeFor(run.firstExecutionRunId))
    .returning('id')

/** Notes what an open operation waits for and, if known, until when; of a hold, its reason. */
export const operationWaits = (
  db: Db,
  id: string,
  waitingFor: string,
  waitingUntil: Date | null = null,
  waitingWhy: string | null = null,
) => noteState(db, id, { state: 'waiting', waitingFor, waitingUntil, waitingWhy })

/** Notes that an open operation waits for nothing. */
export const operationRuns = (db: Db, id: string) =>
  noteState(db, id, { state: 'running', waitingFor: null, waitingUntil: null })

async function noteState(
  db: Db,
  id: string,
  state: {
    state: OperationState
    waitingFor: string | null
    waitingUntil: Date | null
    waitingWhy?: string | null
  },
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
    state: End
    result: unknown
    status?: number
  },
  now: Date,
) {
  const body = JSON.stringify(end.result ?? null)
  const ended = await ending(db, { id, state: end.state, result: body, now, usedAt: new Date() })
    .$if(end.status !== undefined, (q) =>
      q.set((eb) => ({
        answerStatus: eb.fn.coalesce('answerStatus', eb.val(end.status)),
        answerBody: eb.fn.coalesce('answerBody', eb.val(body)),
      })),
    )
    .executeTakeFirst()
  // Nobody waits for any other.
  if (ended?.awaited) await sql`select pg_notify('operation', ${id})`.execute(db)
}

type End = Extract<OperationState, 'done' | 'failed' | 'cancelled'>

/**
 * The statement that ends an operation. `result` is serialised. The row is kept longer than Temporal keeps the workflow, whose
 * retention begins at `usedAt`.
 */
export const ending = (
  db: Builder,
  { id, now, ...end }: { id: string; state: End; result: string; now: Date; usedAt: Date },
) =>
  db
    .updateTable('operations')
    .set({ state: end.state, result: end.result, waitingFor: null, waitingUntil: null })
    .set({ endedAt: now, lastUsedAt: end.usedAt })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .returning('awaited')

/** Wakes the call that waits for the operation which a statement ends as `ended`; a part of its select. */
export const tellingWaiting = (operation: string | null) =>
  sql`(select pg_notify('operation', ${operation}) from ended where awaited)`
