import { isLockTimeout, retrying, rollBackTo, savepoint, type Trx } from '../db/database.ts'
import { recordAudit } from '../db/events/audit.ts'
import {
  answerOperation,
  awaitAnswer,
  claimKey,
  insertOperation,
} from '../db/operations/operations.ts'
import { enqueueSignal, enqueueStart } from '../db/operations/outbox.ts'
import { type Place, type SecretKey, seal } from '../db/secrets.ts'
import type { EventKind } from '../rules/event-kinds.ts'
import { ApiError, problemOf } from './http/errors.ts'
import { inProgress } from './http/flights.ts'
import { placed } from './http/places.ts'
import { awaited, type ChangeContext, type ReadContext, type Route } from './route.ts'

// The accepting transaction. The operation's row, the change, the audit line, the answer as text and the commands to
// Temporal commit together or not at all. It does nothing else and waits for no other call: anything slow is prepared
// before it.

export type Answer = { status: number; body: string; replayed?: boolean }
export type ChangingRoute = Exclude<Route, { method: 'GET' }>
export type Call = {
  route: ChangingRoute
  key: string
  /** The call came without a key: nobody can repeat it. */
  keyless: boolean
  fingerprint: string
  /** The id of the call's token. */
  token: string
  instance: string
  requestId: string
  /** The key with which a confidential answer is sealed. */
  secretKey: SecretKey | undefined
}

/** What a call does: the preparation, outside a transaction, and then the change itself. */
export type Work = {
  prepare(): Promise<unknown>
  run(context: ChangeContext, prepared: unknown): Promise<unknown>
}

const rowWaitMs = 25_000
const tries = 3
const firstPauseMs = 50
const longestPauseMs = 1_000

/**
 * Answers `taken` when another call with this key was accepted. @throws ApiError idempotency_in_progress while
 * another one is being accepted.
 */
export async function accept(
  context: ReadContext,
  call: Call,
  id: string,
  until: number,
  { prepare, run }: Work,
): Promise<Answer | 'taken' | typeof awaited> {
  const prepared = await settled(prepare)
  const work = async (changing: ChangeContext) => run(changing, prepared())
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const outcome = await placed(context.workspace.id, until, () =>
      tryToAccept(context, call, id, work),
    )
    if (outcome !== 'held') return outcome
    // Another process is carrying it out. Waiting for it holds no connection.
    if (Date.now() + pauseMs > until) throw inProgress()
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

/** A refusal by the preparation counts as one by the change, so it is thrown where it will be stored as the answer. */
async function settled(prepare: () => Promise<unknown>): Promise<() => unknown> {
  try {
    const prepared = await prepare()
    return () => prepared
  } catch (error) {
    if (!isFinal(error)) throw error
    return () => {
      throw error
    }
  }
}

// The scopes that an edit needs may depend on what it edits: a caller who lacks one may repeat the call once they
// have it.
const isFinal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status < 429 && error.status !== 403

async function tryToAccept(
  context: ReadContext,
  call: Call,
  id: string,
  run: (context: ChangeContext) => Promise<unknown>,
) {
  try {
    return await retrying(tries, () =>
      context.db.transaction().execute((trx) => acceptIn(trx, context, call, id, run)),
    )
  } catch (error) {
    throw isLockTimeout(error) ? inProgress() : error
  }
}

/** A call and the transaction that accepts it. */
type Accepting = { trx: Trx; context: ReadContext; call: Call; id: string }

/** What the handler reported besides its answer. */
type Noted = {
  change: { resource: string; before: unknown; after: unknown; action: EventKind } | undefined
  workflow: boolean
}

async function acceptIn(
  trx: Trx,
  context: ReadContext,
  call: Call,
  id: string,
  run: (context: ChangeContext) => Promise<unknown>,
) {
  const { key, keyless, token, fingerprint } = call
  const kind = call.route.action
  if (!(await claimKey(trx, id, rowWaitMs))) return 'held'
  const operation = { id, workspace: context.workspace.id, key, kind, fingerprint, token, keyless }
  if (!(await insertOperation(trx, operation))) return 'taken'
  await savepoint(trx, 'handler')
  const accepting: Accepting = { trx, context, call, id }
  try {
    return await carryOut(accepting, run)
  } catch (error) {
    // A refusal that results from executing the call is its permanent answer; any other error leaves no trace, and the call may
    // be repeated.
    if (!isFinal(error)) throw error
    await rollBackTo(trx, 'handler')
    return refuse(accepting, error)
  }
}

/** Runs the handler, writes the audit line, and stores the answer unless the workflow will give it. */
async function carryOut(accepting: Accepting, run: (context: ChangeContext) => Promise<unknown>) {
  const { trx, context, call, id } = accepting
  const noted: Noted = { change: undefined, workflow: false }
  const result = await run(changeContextOf(accepting, noted))
  const now = context.clock.now()
  if (noted.change)
    await recordAudit(trx, {
      workspace: context.workspace.id,
      at: now,
      member: context.member.id,
      client: context.client,
      key: call.key,
      ...noted.change,
    })
  const resource = noted.change?.resource
  if (result === awaited) {
    await awaitAnswer(trx, id, resource)
    return awaited
  }
  const answer = { status: 200, body: JSON.stringify(result) }
  const { workflow } = noted
  const keeping = kept(id, answer.body, result, call)
  await answerOperation(trx, id, { ...answer, ...keeping, workflow, resource, now })
  return answer
}

/** Stores a refusal as the answer. */
async function refuse({ trx, context, call, id }: Accepting, refusal: ApiError) {
  const body = JSON.stringify(problemOf(refusal, call.instance, call.requestId))
  const answer = { status: refusal.status, body }
  await answerOperation(trx, id, { ...answer, workflow: false, now: context.clock.now() })
  return answer
}

/** The context for the handler. The change it reports, and whether it starts a workflow, are written to `noted`. */
function changeContextOf({ trx, context, call, id }: Accepting, noted: Noted): ChangeContext {
  const workspace = context.workspace.id
  return {
    ...context,
    db: trx,
    operation: { id, key: call.key },
    changed: (resource, before, after, action = call.route.action) => {
      noted.change = { resource, before, after, action }
    },
    start: async (type, args, attributes = {}) => {
      noted.workflow = true
      await enqueueStart(trx, {
        type,
        workflowId: id,
        args,
        attributes: { Workspace: workspace, IdempotencyKey: call.key, ...attributes },
        operation: id,
      })
    },
    signal: (workflowId, name, ...args) =>
      enqueueSignal(trx, workflowId, name, args, { workspace }),
  }
}

/**
 * The stored form of an answer. Only the token that made the call can read a confidential member; operations/{key}
 * does not show it.
 */
function kept(id: string, body: string, result: unknown, call: Call) {
  const { confidential } = call.route
  if (!confidential) return { body }
  return {
    body: seal(keyOf(call), body, answerPlace(id)),
    result: JSON.stringify({ ...(result as object), [confidential]: null }),
  }
}

export const answerPlace = (operation: string): Place => ({
  in: 'operations.answerBody',
  id: operation,
})

export function keyOf({ secretKey }: Call) {
  if (secretKey === undefined) throw new Error('A confidential answer needs SECRET_KEY.')
  return secretKey
}
