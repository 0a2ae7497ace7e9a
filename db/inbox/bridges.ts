import { messageFailed, messageReturned, messageSent } from '../conversations/message-life.ts'
import { findOutgoing, lockOutgoing } from '../conversations/message-sending.ts'
import type { Db, Trx } from '../database.ts'

/** A connection that has a bridge, for what its bridge sends us. */
export const findBridged = (db: Db, id: string) =>
  db
    .selectFrom('connections')
    .select(['id', 'workspace', 'kind', 'account', 'secrets'])
    .where('id', '=', id)
    .where('kind', '!=', 'email')
    .where('bridge', 'is not', null)
    .executeTakeFirst()

export type Reported = {
  connection: string
  /** Our id of the message. */
  message: string
  state: 'sent' | 'delivered' | 'failed'
  /** A code. */
  reason: string
  externalId?: string | undefined
}

/**
 * Notes what a bridge says became of a message of ours: evidence for an unconfirmed one, and a notification to the owner if one
 * that was accepted could not be delivered after all. A repeated report changes nothing. A message that is queued is left to
 * its claim: the bridge will recognise it by its id. False if the message is not one of this connection's.
 */
export async function reportStatus(trx: Trx, reported: Reported, now: Date): Promise<boolean> {
  const planned = await findOutgoing(trx, reported.message, reported.connection)
  if (planned?.direction !== 'outbound') return false
  const message = await lockOutgoing(trx, reported.message)
  if (!message) return false
  const marker = { letter: message, attempt: null, now }
  const { state, reason, externalId } = reported
  if (message.state === 'sending') {
    if (state === 'failed') await messageFailed(trx, marker, { reason })
    else await messageSent(trx, marker, externalId)
  } else if (message.state === 'sent' && state === 'failed')
    await messageReturned(trx, message, reason, now)
  return true
}
