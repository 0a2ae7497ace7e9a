import type { Db, Trx } from './database.ts'
import { recordEvent } from './events.ts'
import { enqueueSignal } from './outbox.ts'
import { notify } from './sending.ts'
import { failTouches } from './touches.ts'

// What a mail server reports about mail of ours that it took and could not deliver (RFC 3464).

export type Returned = {
  workspace: string
  connection: string
  /** Message-IDs the report names. */
  refersTo: string[]
  recipient: string | null
  /** False for a delay, of which nothing follows yet. */
  failed: boolean
  permanent: boolean
  code: string | null
}

/**
 * The Message-ID of what came back: as the report names it, else the last that this account sent to the recipient. Undefined
 * where it was not ours.
 */
export async function findReturned(db: Db, returned: Returned): Promise<string | undefined> {
  const { workspace, connection, refersTo, recipient } = returned
  if (refersTo.length === 0 && recipient === null) return undefined
  const row = await db
    .selectFrom('messages')
    .select('messageId')
    .where('workspace', '=', workspace)
    .where('direction', '=', 'outbound')
    .where('messageId', 'is not', null)
    .where((eb) =>
      refersTo.length > 0
        ? eb('messageId', 'in', refersTo)
        : eb.and([
            eb('connection', '=', connection),
            eb(eb.fn<string>('lower', ['toAddress']), '=', (recipient ?? '').toLowerCase()),
          ]),
    )
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.messageId ?? undefined
}

/**
 * Fails what came back with its code: a letter, whose person then gets no more of them when it is for good, or a message, whose
 * owner is told. Call it in the transaction that stores the report, after it.
 */
export async function failReturned(trx: Trx, messageId: string, returned: Returned, now: Date) {
  if (!returned.failed) return
  const { workspace, code, permanent } = returned
  const message = await trx
    .updateTable('messages')
    .set({ state: 'failed', reason: 'bounced', code })
    .where('workspace', '=', workspace)
    .where('messageId', '=', messageId)
    .where('direction', '=', 'outbound')
    .where('state', 'in', ['sent', 'sending'])
    .returning(['id', 'conversation', 'touch', 'connection', 'operation'])
    .executeTakeFirst()
  if (!message) return
  const conversation = await trx
    .selectFrom('conversations')
    .innerJoin('connections', 'connections.id', 'conversations.connection')
    .select(['conversations.person', 'conversations.owner', 'connections.member'])
    .where('conversations.id', '=', message.conversation)
    .executeTakeFirst()
  if (message.touch) await failLetter(trx, message.touch, returned, now)
  else if (message.operation) await enqueueSignal(trx, message.operation, 'changed')
  if (permanent && conversation)
    await failTouches(trx, { person: conversation.person }, 'bounced', now)
  await recordEvent(trx, {
    ...{ workspace, kind: 'message.failed', at: now, resource: message.id },
    data: { conversation: message.conversation, state: 'failed', reason: 'bounced', code },
  })
  const member = conversation?.owner ?? conversation?.member
  if (member && !message.touch)
    await notify(trx, {
      ...{ workspace, member, at: now, kind: 'message.failed', conversation: message.conversation },
      text: `A message came back${code ? ` (${code})` : ''}.`,
    })
}

async function failLetter(trx: Trx, id: string, { workspace, code }: Returned, now: Date) {
  const touch = await trx
    .updateTable('touches')
    .set({ state: 'failed', reason: 'bounced', code })
    .where('id', '=', id)
    .where('state', 'in', ['sent', 'sending'])
    .returning(['campaign', 'person', 'place'])
    .executeTakeFirst()
  if (!touch) return
  await recordEvent(trx, {
    ...{ workspace, kind: 'touch.failed', at: now, resource: id },
    data: { ...touch, state: 'failed', reason: 'bounced', code },
  })
}
