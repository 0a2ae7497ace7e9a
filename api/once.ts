import { type SqlBool, sql } from 'kysely'
import { recordAudit } from '../db/audit.ts'
import { again, type Db, type Trx } from '../db/database.ts'
import { newId } from '../db/ids.ts'
import {
  answerOperation,
  awaitAnswer,
  findOperation,
  insertOperation,
  type OperationRow,
  operationDispatched,
  operationId,
  settleAnswer,
  touchOperation,
} from '../db/operations.ts'
import { enqueueSignal, enqueueStart } from '../db/outbox.ts'
import { seal, unseal } from '../db/secrets.ts'
import type { Answers } from './answers.ts'
import { ApiError, problemOf } from './errors.ts'
import { awaited, type ChangeContext, type ReadContext, type Route } from './route.ts'

// The one rule for everything that changes something: the Idempotency-Key is the operation. Its row, the change, the audit
// line, the answer as text and the commands to Temporal commit together or not at all.

export type Answer = { status: number; body: string; replayed?: boolean }
type ChangingRoute = Exclude<Route, { method: 'GET' }>
export type Call = {
  route: ChangingRoute
  key: string
  fingerprint: string
  instance: string
  requestId: string
  /** What a confidential answer is kept sealed under. */
  secretKey: string | undefined
}

const lockWaitMs = 25_000
const answerWaitMs = 25_000
const dispatchWaitMs = 2_000
const tries = 3

/**
 * The key of a call. The quoted form of the IETF draft (draft-ietf-httpapi-idempotency-key-header) is taken without its quotes.
 * @throws ApiError idempotency_key_missing, idempotency_key_invalid.
 */
export function readKey(header: string | undefined, optional: boolean): string {
  if (header === undefined || header === '') {
    if (optional && header === undefined) return newId('auto')
    throw new ApiError('idempotency_key_missing', 'Send an Idempotency-Key, for instance a UUID.')
  }
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw new ApiError(
    'idempotency_key_invalid',
    'An Idempotency-Key is 1 to 255 visible ASCII characters.',
  )
}

/** What an earlier call with this key answers to the present one; undefined when there was none. */
export async function replay(db: Db, answers: Answers, workspace: string, call: Call) {
  const operation = await findOperation(db, operationId(workspace, call.key))
  if (!operation) return undefined
  if (operation.fingerprint !== call.fingerprint)
    throw new ApiError(
      'idempotency_key_reused',
      'This Idempotency-Key was used for another request.',
    )
  const answer = stored(operation, call) ?? (await waitForAnswer(db, answers, call, operation.id))
  await touchOperation(db, operation.id)
  return { ...answer, replayed: true }
}

/** Carries a call out, once whatever happens, and answers it. */
export async function once(
  context: ReadContext,
  answers: Answers,
  call: Call,
  run: (context: ChangeContext) => Promise<unknown>,
): Promise<Answer> {
  const id = operationId(context.workspace.id, call.key)
  const outcome = await accept(context, call, id, run)
  if (outcome === 'taken') {
    const answer = await replay(context.db, answers, context.workspace.id, call)
    if (answer) return answer
    throw inProgress()
  }
  return outcome === awaited ? waitForAnswer(context.db, answers, call, id) : outcome
}

function stored({ answerStatus: status, answerBody }: OperationRow, call: Call) {
  if (answerBody === null || status === null) return undefined
  const sealed = call.route.confidential && status === 200
  return { status, body: sealed ? unseal<string>(keyOf(call), answerBody) : answerBody }
}

/** What is kept of an answer. A confidential member is legible to those alone who repeat the call, not in operations/{key}. */
function kept(body: string, result: unknown, call: Call) {
  const { confidential } = call.route
  if (!confidential) return { body }
  return {
    body: seal(keyOf(call), body),
    result: JSON.stringify({ ...(result as object), [confidential]: null }),
  }
}

function keyOf({ secretKey }: Call) {
  if (secretKey === undefined) throw new Error('A confidential answer needs SECRET_KEY.')
  return secretKey
}

const inProgress = () =>
  new ApiError('idempotency_in_progress', 'A call with this key is being carried out.', {
    headers: { 'Retry-After': '1' },
  })

async function accept(
  context: ReadContext,
  call: Call,
  id: string,
  run: (context: ChangeContext) => Promise<unknown>,
): Promise<Answer | 'taken' | typeof awaited> {
  try {
    return await again(tries, () =>
      context.db.transaction().execute((trx) => acceptIn(trx, context, call, id, run)),
    )
  } catch (error) {
    throw lockTimedOut(error) ? inProgress() : error
  }
}

const lockTimedOut = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === '55P03'

async function acceptIn(
  trx: Trx,
  context: ReadContext,
  call: Call,
  id: string,
  run: (context: ChangeContext) => Promise<unknown>,
) {
  const workspace = context.workspace.id
  // A repeat blocks here on the primary key until the transaction that holds it has ended.
  await sql<SqlBool>`select set_config('lock_timeout', ${String(lockWaitMs)}, true)`.execute(trx)
  const kind = call.route.action
  if (
    !(await insertOperation(trx, {
      id,
      workspace,
      key: call.key,
      kind,
      fingerprint: call.fingerprint,
    }))
  )
    return 'taken'

  let change: { resource: string; before: unknown; after: unknown; action: string } | undefined
  let workflow = false
  await sql`savepoint handler`.execute(trx)
  const changeContext: ChangeContext = {
    ...context,
    db: trx,
    operation: { id, key: call.key },
    changed: (resource, before, after, action = kind) => {
      change = { resource, before, after, action }
    },
    start: async (type, args, attributes = {}) => {
      workflow = true
      await enqueueStart(trx, {
        type,
        workflowId: id,
        args,
        attributes: { Workspace: workspace, IdempotencyKey: call.key, ...attributes },
        operation: id,
      })
    },
    signal: (workflowId, name, args) => enqueueSignal(trx, workflowId, name, args, { workspace }),
  }
  try {
    const result = await run(changeContext)
    if (change)
      await recordAudit(trx, {
        workspace,
        at: context.clock.now(),
        member: context.member.id,
        client: context.client,
        key: call.key,
        ...change,
      })
    const resource = change?.resource
    if (result === awaited) {
      await awaitAnswer(trx, id, resource)
      return awaited
    }
    const answer = { status: 200, body: JSON.stringify(result) }
    await answerOperation(trx, id, {
      ...answer,
      ...kept(answer.body, result, call),
      workflow,
      resource,
      now: context.clock.now(),
    })
    return answer
  } catch (error) {
    // A refusal that came of executing the call is its answer for ever; anything else leaves no trace and may be repeated.
    // Which scopes an edit needs may hang on what it edits: who lacks one may call again once they have it.
    if (!(error instanceof ApiError) || error.status >= 429 || error.status === 403) throw error
    await sql`rollback to savepoint handler`.execute(trx)
    const body = JSON.stringify(problemOf(error, call.instance, call.requestId))
    await answerOperation(trx, id, {
      status: error.status,
      body,
      workflow: false,
      now: context.clock.now(),
    })
    return { status: error.status, body }
  }
}

async function waitForAnswer(db: Db, answers: Answers, call: Call, id: string): Promise<Answer> {
  const { waits } = call.route
  // Not started within two seconds: Temporal is away, and waiting longer would only hold the caller up.
  const notDispatched = async (elapsedMs: number) =>
    elapsedMs >= dispatchWaitMs && !(await operationDispatched(db, id))
  const ready = (operation: OperationRow) => operation.answerBody !== null
  const operation = await answers.until(id, waits?.ms ?? answerWaitMs, ready, notDispatched)
  const answer = operation && stored(operation, call)
  if (answer) return answer
  if (waits) {
    await settleAnswer(db, id, { status: 200, body: JSON.stringify(await waits.otherwise(db, id)) })
    const settled = await findOperation(db, id)
    if (settled) return stored(settled, call) as Answer
  }
  throw new ApiError(
    'still_running',
    `Repeat with the same key, or read /api/v1/operations/${encodeURIComponent(call.key)}.`,
    {
      headers: { 'Retry-After': '2' },
    },
  )
}
