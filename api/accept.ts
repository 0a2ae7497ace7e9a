import { type Db, isLockTimeout, isOvertaken, retrying, type Trx } from '../db/database.ts'
import { recordAcceptance, recordGathered } from '../db/events/acceptance.ts'
import type { AuditEntry } from '../db/events/audit.ts'
import {
  claimKey,
  findOperation,
  insertOperation,
  type NewOperation,
} from '../db/operations/operations.ts'
import { type NewCommand, signalOf, startOf, type WorkflowName } from '../db/operations/outbox.ts'
import type { NewRows } from '../db/rows.ts'
import { type SealBinding, type SecretKey, seal } from '../db/secrets.ts'
import { placed } from './http/call-limits.ts'
import { ApiError, type ErrorCode, problemOf } from './http/errors.ts'
import { inProgress } from './http/flights.ts'
import type { Patience } from './http/patience.ts'
import {
  type AddContext,
  awaited,
  type CallContext,
  type ChangeContext,
  type Reporting,
  type Route,
} from './route.ts'
import { mayNotifyRelay, wakeRelay } from './wake-relay.ts'

// How a call is accepted. The operation's row, the change, the audit line, the answer as text and the commands to Temporal
// commit together or not at all: in a transaction, which does nothing else and waits for no other call, or, where the change
// only adds rows, in a single statement. Anything slow is prepared before. One file, because both ways commit the same things.

export type Answer = { status: number; body: string; replayed?: boolean }
export type ChangingRoute = Exclude<Route, { method: 'GET' }>
export type Call = {
  route: ChangingRoute
  key: string
  /** The call came without a key: nobody can repeat it. */
  keyless: boolean
  /** As it is kept (fingerprintsOf in once.ts). */
  fingerprint: string
  /** The same under SECRET_KEY_PREVIOUS, if there is one. */
  fingerprintBefore?: string
  /** The id of the call's token. */
  token: string
  instance: string
  requestId: string
  /** The key with which a confidential answer is sealed. */
  secretKey: SecretKey | undefined
  patience: Patience
}

/** The change itself. One that only adds rows needs no transaction. */
export type Change =
  | { adds: false; run(context: ChangeContext<CallContext>, prepared: unknown): Promise<unknown> }
  | { adds: true; run(context: AddContext<CallContext>, prepared: unknown): Promise<unknown> }

/** What a call does: the preparation, before it is accepted, and then the change. */
export type Work = {
  prepare(): Promise<unknown>
  /** Locks what is changed, and looks whether it is what the caller has read. @throws ApiError changed_meanwhile. */
  unchanged?: ((db: Trx) => Promise<void>) | undefined
  change: Change
}

const tries = 3
const firstPauseMs = 50
const longestPauseMs = 1_000

/**
 * Answers `taken` when another call with this key was accepted. @throws ApiError idempotency_in_progress while
 * another one is being accepted.
 */
export async function accept(
  context: CallContext,
  call: Call,
  id: string,
  until: number,
  { prepare, unchanged, change }: Work,
): Promise<Answer | 'taken' | typeof awaited> {
  const prepared = await settled(prepare)
  const accepting: Accepting = { context, call, id, unchanged, change, prepared }
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const outcome = await placed(
      context.workspace.id,
      change.adds ? 'additions' : 'transactions',
      until,
      () => tryToAccept(accepting),
    )
    if (outcome !== 'held') return outcome
    // Another process is carrying it out. Waiting for it holds no connection.
    if (Date.now() + pauseMs > until) throw inProgress()
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

/** A refusal by the preparation counts as one by the change, so one that is final is thrown where it will be stored as the answer. */
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

// A body that does not fit is to be corrected, and the corrected call may have the same key, whether its shape shows the fault or
// only the handler finds it.
const correctable = new Set<ErrorCode>([
  ...(['validation_failed', 'time_in_past', 'local_time_missing'] as const),
  // Its caller reads again and sends what is to be done now.
  'changed_meanwhile',
  ...(['private_address', 'secret_needed', 'needs_successor'] as const),
  // There may be room later.
  'quota_exceeded',
])

// The scopes that an edit needs may depend on what it edits: a caller who lacks one may repeat the call once they
// have it.
const isFinal = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  error.status < 429 &&
  error.status !== 403 &&
  !correctable.has(error.code)

/** A call, and what carries it out. */
type Accepting = {
  context: CallContext
  call: Call
  id: string
  unchanged: Work['unchanged']
  change: Change
  /** What was prepared. @throws ApiError for a refusal of the preparation. */
  prepared(): unknown
}
type AcceptResult = Answer | typeof awaited | 'held' | 'taken'

async function tryToAccept(accepting: Accepting): Promise<AcceptResult> {
  try {
    return await retrying(tries, () => acceptOrRefuse(accepting))
  } catch (error) {
    throw isLockTimeout(error) ? inProgress() : error
  }
}

async function acceptOrRefuse(accepting: Accepting): Promise<AcceptResult> {
  const { change } = accepting
  const noted: Noted = { commands: [], notifies: false, added: [] }
  try {
    const outcome = await (change.adds
      ? inOneStatement(accepting, noted, change.run)
      : inTransaction(accepting, noted, change.run))
    if (noted.commands.length > 0 && !noted.notifies) wakeRelay(accepting.context.db)
    return outcome
  } catch (error) {
    // A refusal that results from executing the call is its permanent answer; any other error leaves no trace, and the call may
    // be repeated.
    if (isFinal(error)) return refuse(accepting, error)
    throw error
  }
}

const inTransaction = (
  accepting: Accepting,
  noted: Noted,
  run: Run<ChangeContext<CallContext>>,
): Promise<AcceptResult> =>
  accepting.context.db.transaction().execute(async (db) => {
    const claim = await claimKey(db, accepting.id)
    if (claim !== 'claimed') return claim
    await accepting.unchanged?.(db)
    const result = await run({ ...reportingTo(noted, accepting), db }, accepting.prepared())
    return conclude(db, accepting, noted, recordAcceptance, result)
  })

/** Without a claim: of two calls with the same key, the insert of one waits for the other's and then fails. */
async function inOneStatement(
  accepting: Accepting,
  noted: Noted,
  run: Run<AddContext<CallContext>>,
): Promise<AcceptResult> {
  const { db } = accepting.context
  const insert = (rows: NewRows) => {
    noted.added.push(rows)
  }
  try {
    const result = await run({ ...reportingTo(noted, accepting), db, insert }, accepting.prepared())
    return await conclude(db, accepting, noted, recordGathered, result)
  } catch (error) {
    if (isOvertaken(error) && (await findOperation(db, accepting.id))) return 'taken'
    throw error
  }
}

/** What the handler reported besides its answer. */
type Noted = {
  change?: Pick<AuditEntry, 'resource' | 'before' | 'after' | 'action' | 'about'>
  workflowType?: WorkflowName
  commands: NewCommand[]
  /** The commit itself notifies the relay of the commands. */
  notifies: boolean
  added: NewRows[]
}

type Run<Context> = (context: Context, prepared: unknown) => Promise<unknown>

/** Records all that belongs to a change at once, with the result of its handler as the answer. */
async function conclude(
  db: Db,
  accepting: Accepting,
  noted: Noted,
  record: typeof recordAcceptance,
  result: unknown,
): Promise<Answer | typeof awaited> {
  const { context, call, id } = accepting
  const at = context.clock.now()
  const answer = result === awaited ? undefined : { status: 200, body: JSON.stringify(result), at }
  noted.notifies = noted.commands.length > 0 && mayNotifyRelay(context.db)
  await record(db, {
    operation: {
      ...operationOf(accepting),
      workflowType: noted.workflowType,
      resource: noted.change?.resource,
      ...(answer
        ? { answer: { ...answer, ...kept(id, answer.body, result, call) } }
        : { awaited: true }),
    },
    commands: noted.commands,
    notifies: noted.notifies,
    added: noted.added,
    line: noted.change && {
      workspace: context.workspace.id,
      at,
      member: 'member' in context ? context.member.id : null,
      client: context.client,
      key: call.key,
      ...noted.change,
    },
  })
  return answer ?? awaited
}

/** Stores a refusal as the answer; nothing else is left of the call. */
async function refuse(accepting: Accepting, refusal: ApiError): Promise<Answer | 'taken'> {
  const { context, call } = accepting
  const body = JSON.stringify(problemOf(refusal, call.instance, call.requestId))
  const answer = { status: refusal.status, body }
  const operation = {
    ...operationOf(accepting),
    answer: { ...answer, at: context.clock.now() },
  }
  return (await insertOperation(context.db, operation)) ? answer : 'taken'
}

const operationOf = ({ context, call, id }: Accepting): NewOperation => ({
  id,
  workspace: context.workspace.id,
  key: call.key,
  kind: call.route.action,
  fingerprint: call.fingerprint,
  token: call.token,
  keyless: call.keyless,
})

/** The context for the handler, without a database. What it reports is written to `noted`. */
function reportingTo(noted: Noted, { context, call, id }: Accepting): CallContext & Reporting {
  const workspace = context.workspace.id
  return {
    ...context,
    operation: { id, key: call.key },
    changed: (resource, before, after, action = call.route.action, about = {}) => {
      noted.change = { resource, before, after, action, about }
    },
    start: async (type, args, attributes = {}) => {
      noted.workflowType = type
      noted.commands.push(
        startOf({
          type,
          workflowId: id,
          args,
          attributes: { Workspace: workspace, IdempotencyKey: call.key, ...attributes },
          operation: id,
        }),
      )
    },
    signal: async (workflowId, name, ...args) => {
      noted.commands.push(signalOf(workflowId, name, args, { workspace }))
    },
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

export const answerPlace = (operation: string): SealBinding => ({
  in: 'operations.answerBody',
  id: operation,
})

export function keyOf({ secretKey }: Pick<Call, 'secretKey'>) {
  if (secretKey === undefined) throw new Error('A confidential answer needs SECRET_KEY.')
  return secretKey
}
