import type { Db } from '../db/database.ts'
import { newId } from '../db/ids.ts'
import {
  findOperation,
  type OperationRow,
  operationDispatched,
  operationId,
  settleAnswer,
  touchOperation,
} from '../db/operations/operations.ts'
import { hashedUnder, unseal } from '../db/secrets.ts'
import type { EarlierOperation } from '../db/workspace/tokens.ts'
import { type Answer, accept, answerPlace, type Call, keyOf, type Work } from './accept.ts'
import type { Answers } from './http/answers.ts'
import { ApiError } from './http/errors.ts'
import { alone, inProgress } from './http/flights.ts'
import { prefixOf } from './http/prefix.ts'
import { awaited, type CallContext } from './route.ts'

// The one rule for every change: the Idempotency-Key is the operation. A call is carried out once (accept.ts); this
// file answers repeats, and waits for results.

const confidentialMs = 60 * 60_000

/**
 * The key of a call; undefined if it has none and needs none. The quoted form of the IETF draft
 * (draft-ietf-httpapi-idempotency-key-header) is accepted, and its quotes are removed.
 * @throws ApiError idempotency_key_missing, idempotency_key_invalid.
 */
export function readKey(header: string | undefined, optional: boolean): string | undefined {
  if (header === undefined || header === '') {
    if (optional && header === undefined) return undefined
    throw keyRefused('idempotency_key_missing')
  }
  const key = keyIn(header)
  if (key !== undefined) return key
  throw keyRefused('idempotency_key_invalid')
}

/** The key in a header; undefined if there is none, or one that is not valid. */
export function keyIn(header = ''): string | undefined {
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header
  return /^[\x21-\x7e]{1,255}$/.test(key) ? key : undefined
}

const refusals = {
  idempotency_key_missing: 'Send an Idempotency-Key, for instance a UUID.',
  idempotency_key_invalid: 'An Idempotency-Key is 1 to 255 visible ASCII characters.',
  idempotency_key_reused:
    'This Idempotency-Key was used for another request, whose answer it keeps: send this one with a new key.',
}

export const keyRefused = (code: keyof typeof refusals) => new ApiError(code, refusals[code])

/** Stands for the key of a call that has none. */
export const newKey = () => newId('auto')

/**
 * The fingerprint of a call, as its operation keeps it. Bodies of the administration hold passwords, and all else in them stands in
 * the database too: against a plain hash, whoever has the database could try passwords. Without SECRET_KEY no call takes one.
 */
export function fingerprintsOf(
  { route, secretKey }: Pick<Call, 'route' | 'secretKey'>,
  plain: string,
): Pick<Call, 'fingerprint' | 'fingerprintBefore'> {
  if (route.door !== 'admin' || secretKey === undefined) return { fingerprint: plain }
  const { current, previous } = secretKey
  return {
    fingerprint: hashedUnder(current, plain),
    ...(previous !== undefined && { fingerprintBefore: hashedUnder(previous, plain) }),
  }
}

/** The answer of the earlier call that made this operation. */
export async function replay(
  db: Db,
  answers: Answers,
  call: Call,
  operation: EarlierOperation,
): Promise<Answer> {
  if (![call.fingerprint, call.fingerprintBefore].includes(operation.fingerprint))
    throw keyRefused('idempotency_key_reused')
  const answer = stored(operation, call) ?? (await waitForAnswer(db, answers, call, operation))
  await touchOperation(db, operation)
  return { ...answer, replayed: true }
}

/** Carries a call out exactly once, and answers it. */
export async function once(
  context: CallContext,
  answers: Answers,
  call: Call,
  work: Work,
): Promise<Answer> {
  const workspace = context.workspace.id
  const id = operationId(workspace, call.key)
  const until = Date.now() + call.patience.turnMs
  const outcome = await alone({ id, workspace, fingerprint: call.fingerprint }, until, () =>
    accept(context, call, id, until, work),
  )
  if (outcome === undefined || outcome === 'taken') {
    const operation = await findOperation(context.db, id)
    if (operation) return replay(context.db, answers, call, operation)
    throw inProgress()
  }
  return outcome === awaited ? waitForAnswer(context.db, answers, call, { workspace, id }) : outcome
}

function stored(operation: EarlierOperation, call: Call) {
  const { answerStatus: status, answerBody: body } = operation
  if (body === null || status === null) return undefined
  if (status === 410)
    throw new ApiError('erased', 'The answer held something that was erased since.', {
      status,
    })
  if (!call.route.confidential || status !== 200) return { status, body }
  // A secret that is shown only once is shown again to the same token for a short time, in case the answer was lost.
  const isOwn = operation.token === call.token
  const isRecent = Date.now() - operation.acceptedAt.getTime() < confidentialMs
  if (isOwn && isRecent)
    return { status, body: unseal<string>(keyOf(call), body, answerPlace(operation.id)) }
  return { status, body: JSON.stringify(operation.result) }
}

async function waitForAnswer(
  db: Db,
  answers: Answers,
  call: Call,
  { workspace, id }: Pick<OperationRow, 'workspace' | 'id'>,
): Promise<Answer> {
  const { patience, route } = call
  const { waits } = route
  const notDispatched = async (elapsedMs: number) =>
    elapsedMs >= patience.dispatchMs && !(await operationDispatched(db, workspace, id))
  const ready = (operation: OperationRow) => operation.answerBody !== null
  const operation = await answers.until(id, waits?.ms ?? patience.answerMs, ready, notDispatched)
  const answer = operation && stored(operation, call)
  if (answer) return answer
  if (waits) {
    await settleAnswer(db, id, { status: 200, body: JSON.stringify(await waits.otherwise(db, id)) })
    const settled = await findOperation(db, id)
    if (settled) return stored(settled, call) as Answer
  }
  const key = encodeURIComponent(call.key)
  const of = route.door === 'admin' ? `${key}?workspace=${encodeURIComponent(workspace)}` : key
  throw stillRunning(`${prefixOf(route)}/operations/${of}`)
}

/** `operation` is the path of its read. */
export const stillRunning = (operation: string) =>
  new ApiError('still_running', `Repeat with the same key, or read ${operation}.`, {
    headers: { 'Retry-After': '2' },
  })
