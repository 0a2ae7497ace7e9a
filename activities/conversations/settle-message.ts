import { findConnection } from '../../db/accounts/connections.ts'
import * as sending from '../../db/conversations/message-sending.ts'
import type { Trx } from '../../db/database.ts'
import { nextTry } from '../../rules/outgoing.ts'
import type { Deps } from '../deps.ts'
import { untilAbandoned } from '../outgoing/lease.ts'
import { askMessage, lineOf } from '../ports/bridge/bridge.ts'
import { codeOfRefusal, type Handover } from '../ports/mail/smtp.ts'

// What became of a message that was handed over, or may have been.

type OutgoingRow = sending.OutgoingRow

/** How a message's account reaches its bridge; undefined for mail, and where there is none. */
export async function findLine(deps: Deps, { connection }: OutgoingRow) {
  const account = connection ? await findConnection(deps.db, connection) : undefined
  return account && account.kind !== 'email' ? lineOf(deps, account) : undefined
}

/** Writes the outcome of an attempt under its marker. */
export function settleMessage(trx: Trx, marker: sending.Marker, handover: Handover) {
  const { message, now } = marker
  if (handover.kind === 'accepted')
    return sending.messageSent(trx, { ...marker, externalId: handover.externalId })
  if (handover.kind === 'unknown') return sending.messageUnconfirmed(trx, marker)
  if (handover.kind === 'refused')
    return sending.messageFailed(trx, {
      ...marker,
      reason: handover.reason ?? 'refused',
      code: codeOfRefusal(handover),
    })
  const nextTryAt = nextTry(message, now)
  return nextTryAt
    ? sending.messageDeferred(trx, { ...marker, nextTryAt })
    : sending.messageFailed(trx, {
        ...marker,
        reason: 'undeliverable',
        code: codeOfRefusal(handover),
      })
}

/**
 * Settles a message that an attempt has claimed, once that is gone. Only evidence makes it sent; absence of evidence proves
 * nothing, unless it is a bridge that says it knows nothing of it. @throws trouble while the attempt is at work.
 */
export async function reconcileMessage(deps: Deps, message: OutgoingRow) {
  const { db, clock } = deps
  if (message.reason === null) await untilAbandoned(db, { table: 'messages', id: message.id })
  const arrived =
    message.messageId && (await sending.isReferredTo(db, message.workspace, message.messageId))
  const line = arrived ? undefined : await findLine(deps, message)
  const found: Handover = arrived
    ? { kind: 'accepted' }
    : line
      ? await askMessage(line, message.id)
      : { kind: 'unknown' }
  await db.transaction().execute(async (trx) => {
    const marker = { message, attempt: message.attempt, now: clock.now() }
    await settleMessage(trx, marker, found)
  })
}

/** A bridge that can be reached again may know what became of messages nobody has confirmed. */
export async function reconcileBridged(deps: Deps, connection: string, beat: () => void) {
  for (const id of await sending.listUnconfirmed(deps.db, connection)) {
    beat()
    const message = await sending.findOutgoing(deps.db, id)
    if (message?.state === 'sending') await reconcileMessage(deps, message)
  }
}
