import { type SqlBool, sql } from 'kysely'
import { type Failure, failureWords } from '../../rules/failure-words.ts'
import type { Refused } from '../../rules/outgoing.ts'
import { compiledPerShape } from '../compiled.ts'
import type { Db, Trx } from '../database.ts'
import { callOf } from '../events/audit.ts'
import { deliveryRows, newDeliveries, tellingOf } from '../events/deliveries.ts'
import { eventOfMoved, recordEvent } from '../events/events.ts'
import { notify } from '../events/notifications.ts'
import { ending, endOperation, keyOfOperation, tellingWaiting } from '../operations/operations.ts'
import { enqueueSignal } from '../operations/outbox.ts'
import {
  type Kind,
  type Marker,
  markDeferred,
  markFailed,
  markForbidden,
  markingSent,
  markUnconfirmed,
  type Refusal,
} from '../outgoing/life.ts'
import { unconfirmedWords } from '../outgoing/unconfirmed.ts'
import { waitingForClient } from './conversations.ts'
import { findOutgoing, lockOutgoing, type OutgoingRow } from './message-sending.ts'
import { nextOf, signalNext, wakeNext } from './message-turns.ts'

// The life of a message and what follows from its moves: its owner is notified of problems, and the messages after it get their
// turn.

type Of = Marker<OutgoingRow>

/** `externalId` is the id that a bridge gave it. Answers what its operation ended with; undefined if the marker is gone. */
export async function messageSent(
  trx: Trx,
  marker: Of,
  externalId?: string,
  refused: Refused[] = [],
) {
  const { letter: message, attempt, now } = marker
  const { values, result } = sendingOf(marker, externalId, refused)
  const [moved] = await sentOf(trx, values, attempt === null ? 'any' : 'own')
  if (!moved) return
  await wakeParked(trx, message)
  await signalNext(trx, message, moved.next, now)
  return result
}

/**
 * The same in one statement, which is a transaction by itself, for a message that went right after its claim to all its
 * recipients. Undefined if nothing was done: a workflow would have to be signalled, or the marker is gone.
 */
async function messageSentAtOnce(db: Db, marker: Of) {
  // Those that wait for a message with a `sendAt` may be in other conversations.
  if (marker.letter.sendAt) return undefined
  const { values, result } = sendingOf(marker)
  const [moved] = await sentOf(db, values, 'at once')
  return moved && result
}

/** The values of `sentOf`, and what the operation of the message ends with. */
function sendingOf(
  { letter: message, attempt, now }: Of,
  externalId?: string,
  refused: Refused[] = [],
) {
  const { id, workspace, conversation, operation } = message
  const lateMs = now.getTime() - (message.dueAt ?? now).getTime()
  const lateBySeconds = Math.max(0, Math.floor(lateMs / 1000))
  const sent = { ...message, state: 'sent', reason: null, sentAt: now, lateBySeconds } as const
  const result = resultOf(sent)
  const values: Sending = {
    ...{ id, workspace, conversation, operation, attempt, now, usedAt: new Date() },
    ...{ lateBySeconds, externalId: externalId ?? null, kind: 'message.sent' },
    refused: alsoRefused(message, refused).refused ?? null,
    data: JSON.stringify(toldOf(message, 'sent')),
    result: JSON.stringify(result),
    deliveries: newDeliveries(),
  }
  return { values, result }
}

/**
 * What `messageSent` writes down, in one statement; under any marker, or under that of an attempt alone. `at once`: only if no
 * workflow has to be signalled, neither its own, which may be parked, nor that of the next message.
 */
const sentOf = compiledPerShape((db, values: Sending, shape: 'any' | 'own' | 'at once') => {
  const { id, attempt, now, usedAt, kind, workspace, conversation, operation } = values
  const { lateBySeconds, externalId, refused, data, result, deliveries } = values
  const marker = { letter: { id } as OutgoingRow, attempt: shape === 'any' ? null : attempt, now }
  const next = nextOf(conversation)
  const moved = markingSent(db, 'messages', marker, { at: now, lateBySeconds })
    .set(sql.ref('externalId'), sql`coalesce(${externalId}, external_id)`)
    .set(sql.ref('refused'), sql`coalesce(${refused}::jsonb, refused)`)
    .$if(shape === 'at once', (q) =>
      q.where('reason', 'is', null).where(sql<SqlBool>`not exists (${next})`),
    )
  const end = { id: operation as string, state: 'done', result, now, usedAt } as const
  return sql<{ next: string | null }>`
    with moved as (${moved}),
    waiting as (${waitingForClient(conversation, now)}),
    told as (${eventOfMoved({ workspace, kind, at: now, data })}),
    queued as (${deliveryRows(workspace, deliveries)}),
    ended as (${ending(db, end).where(sql<SqlBool>`exists (select from moved)`)})
    select (${next}) as next, ${tellingWaiting(operation)}, ${tellingOf(workspace)}
    from moved`.compile(db)
})

type Sending = {
  id: string
  attempt: string | null
  now: Date
  usedAt: Date
  kind: string
  workspace: string
  conversation: string
  operation: string | null
  lateBySeconds: number
  externalId: string | null
  refused: string | null
  data: string
  result: string
  deliveries: string
}

/** The recipients whom the server refused, beside those whom the claim left out. */
const alsoRefused = (message: OutgoingRow, refused: Refused[]) =>
  refused.length === 0 ? {} : { refused: JSON.stringify([...(message.refused ?? []), ...refused]) }

/** The message was not accepted and never will be: its owner is notified. */
export async function messageFailed(
  trx: Trx,
  marker: Of,
  { reason, code = null, said = null }: Refusal,
) {
  const { letter: message, now } = marker
  if (!(await markFailed(trx, 'messages', marker, reason, { code, said }))) return
  await tellFailed(trx, message, now, { reason, code, said })
  await happened(trx, message, now, 'message.failed', 'failed', reason)
  await wake(trx, message, now)
  await endWith(trx, { ...message, state: 'failed', reason, code }, now)
}

async function deferred(trx: Trx, marker: Of, nextTryAt: Date | null) {
  if (await markDeferred(trx, 'messages', marker, nextTryAt))
    await wakeNext(trx, marker.letter, marker.now)
}

/** Nobody knows whether the message was accepted: its owner is notified. */
async function unconfirmed(trx: Trx, marker: Of, refused: Refused[] = []) {
  const { letter: message, now } = marker
  const row = await markUnconfirmed(trx, 'messages', marker, alsoRefused(message, refused))
  if (!row) return
  const named = { ...row, account: message.senderHandle }
  const text = unconfirmedWords('a message', named, `/messages/${message.id}/resolve`)
  await tell(trx, message, now, 'message.unconfirmed', text)
  await happened(trx, message, now, 'message.unconfirmed', 'sending', 'unconfirmed')
  await wake(trx, message, now)
}

/** What the operation of a message ends with. */
export type Sent = ReturnType<typeof resultOf>

export const messageKind: Kind<OutgoingRow, Sent> = {
  table: 'messages',
  resource: 'message',
  name: 'message',
  find: findOutgoing,
  lock: (trx, { id }) => lockOutgoing(trx, id),
  sent: messageSent,
  sentAtOnce: messageSentAtOnce,
  failed: messageFailed,
  deferred,
  unconfirmed,
}

/** The message was accepted but bounced later: its unit stays used, and its owner is notified. */
export async function messageReturned(trx: Trx, message: OutgoingRow, reason: string, now: Date) {
  const row = await trx
    .updateTable('messages')
    .set({ state: 'failed', reason })
    .where('id', '=', message.id)
    .where('state', '=', 'sent')
    .returning('id')
    .executeTakeFirst()
  if (!row) return
  await tellFailed(trx, message, now, { reason: 'bounced' })
  await happened(trx, message, now, 'message.failed', 'failed', reason)
}

/** The claim refused the message: it must not go. Nothing is reported of a message that was cancelled in the meantime. */
export async function messageForbidden(trx: Trx, message: OutgoingRow, reason: string, now: Date) {
  if (!(await markForbidden(trx, { table: 'messages', id: message.id }, reason))) return
  await tellFailed(trx, message, now, { reason })
  await happened(trx, message, now, 'message.failed', 'failed', reason)
  await wake(trx, message, now)
  await endWith(trx, { ...message, state: 'failed', reason }, now)
}

/** Ends the operation of a message that has ended, in the same transaction, and answers its result. */
export async function endWith(trx: Db, message: OutgoingRow, now: Date) {
  const end = { state: endOf(message), result: resultOf(message) } as const
  if (message.operation) await endOperation(trx, message.operation, end, now)
  return end.result
}

const endOf = ({ state }: OutgoingRow) =>
  state === 'sent' ? 'done' : state === 'cancelled' ? 'cancelled' : 'failed'

const resultOf = (message: OutgoingRow) => ({
  id: message.id,
  state: message.state,
  reason: message.reason,
  sentAt: message.sentAt,
  messageId: message.messageId,
  ...(message.code !== null && { code: message.code }),
  ...(message.lateBySeconds !== null && { lateBy: message.lateBySeconds }),
})

// The message's own workflow, which may be parked, and the workflows of messages whose turn it is now.
async function wake(trx: Trx, message: OutgoingRow, now: Date) {
  await wakeParked(trx, message)
  await wakeNext(trx, message, now)
}

async function wakeParked(trx: Trx, message: OutgoingRow) {
  if (message.reason === 'unconfirmed' && message.operation)
    await enqueueSignal(trx, message.operation, 'changed')
}

function happened(
  trx: Trx,
  message: OutgoingRow,
  at: Date,
  kind: 'message.failed' | 'message.unconfirmed',
  state: string,
  reason: string,
) {
  const { id, workspace } = message
  return recordEvent(trx, {
    workspace,
    kind,
    at,
    resource: id,
    data: toldOf(message, state, reason),
  })
}

const toldOf = (
  { conversation, person, connection, operation }: OutgoingRow,
  state: string,
  reason: string | null = null,
) => ({
  ...{ conversation, person, connection, state, reason },
  ...callOf({ key: operation && keyOfOperation(operation) }),
})

function tellFailed(trx: Trx, message: OutgoingRow, at: Date, failure: Failure) {
  const { id, subject, toAddress: to, senderHandle: account } = message
  const text = failureWords({ id, subject, to, account }, failure)
  return tell(trx, message, at, 'message.failed', text)
}

async function tell(trx: Trx, message: OutgoingRow, at: Date, kind: string, text: string) {
  const { workspace, conversation, owner } = message
  const member =
    owner ??
    (
      await trx
        .selectFrom('connections')
        .select('member')
        .where('id', '=', message.connection)
        .executeTakeFirst()
    )?.member
  if (member) await notify(trx, { workspace, member, at, kind, text, conversation })
}
