import type { ConnectionRow } from '../../db/accounts/connections.ts'
import { messageForbidden, messageKind, messageSent } from '../../db/conversations/message-life.ts'
import {
  claimMessage,
  type DueRow,
  lockForMessage,
} from '../../db/conversations/message-sending.ts'
import { cancelQueuedMessage, findLastReceived } from '../../db/conversations/messages.ts'
import { operationWaits } from '../../db/operations/operations.ts'
import { dayIn } from '../../rules/hours.ts'
import { messageIdOf } from '../../rules/outgoing.ts'
import { personalName } from '../../rules/personal-name.ts'
import type { Asked } from '../../workflows/inputs.ts'
import type { Deps } from '../deps.ts'
import { handOver } from '../outgoing/handover.ts'
import { findLine, reconcileMessage } from './reconcile-message.ts'

type Sent = Awaited<ReturnType<typeof messageSent>>

/** One attempt to deliver a message. Answers the result of its operation if this attempt has sent it. */
export async function deliverMessage(
  deps: Deps,
  message: DueRow,
  { operation, asked, account }: { operation: string; account?: ConnectionRow | undefined } & Asked,
): Promise<Sent | undefined> {
  const { db, clock } = deps
  if (message.state === 'sending') return void (await reconcileMessage(deps, message))
  if (message.state !== 'queued') return undefined
  if (message.kind !== 'email' && !(await findLine(deps, message))) {
    await db
      .transaction()
      .execute((trx) => messageForbidden(trx, message, 'no_bridge', clock.now()))
    return undefined
  }

  let sent: Sent
  const messageId = message.messageId ?? messageIdOf(message.id, message.senderHandle)
  const [inReplyTo = null] = message.thread
  await handOver(deps, {
    kind: {
      ...messageKind,
      sent: async (trx, marker, externalId) => {
        sent = await messageSent(trx, marker, externalId)
      },
    },
    row: message,
    asked,
    connection: message.connection,
    account,
    to: message.toAddress,
    letter: () => ({
      toName: personalName(message.toName ?? ''),
      subject: message.subject,
      text: message.text,
      messageId,
      inReplyTo,
      references: message.thread.toReversed(),
      automated: message.automated,
      date: clock.now(),
    }),
    bridged: async (account) => ({
      id: message.id,
      connection: account.id,
      account: account.account,
      conversation: message.conversation,
      to: message.toAddress,
      text: message.text,
      inReplyTo: await findLastReceived(db, message.conversation),
    }),
    async claim(trx, attempt, connection) {
      await lockForMessage(trx, message, connection)
      const now = clock.now()
      const marker = { connection, attempt, messageId, now, day: dayIn(message.timezone, now) }
      const { isSuppressed, isSpam, isClaimed } = await claimMessage(trx, message, marker)
      if (isSuppressed) {
        await messageForbidden(trx, message, 'suppressed', now)
        return false
      }
      // The conversation was closed as spam while the message was being sent and then put off. Closing cancels what is queued,
      // so this message is cancelled too.
      if (isSpam) {
        await cancelQueuedMessage(trx, message.id)
        return false
      }
      return isClaimed
    },
    held: () => operationWaits(db, operation, 'connection'),
  })
  return sent
}
