import { lockForClaim } from '../../db/accounts/connections.ts'
import { findSuppression } from '../../db/accounts/suppressions.ts'
import { messageForbidden, messageKind } from '../../db/conversations/message-life.ts'
import { findOutgoing, type OutgoingRow } from '../../db/conversations/message-sending.ts'
import {
  findMessageBefore,
  findScheduledBefore,
  type Patience,
  wakeNext,
} from '../../db/conversations/message-turns.ts'
import {
  cancelQueuedMessage,
  findLastReceived,
  findThread,
} from '../../db/conversations/messages.ts'
import { isClosedAsSpam } from '../../db/conversations/moves.ts'
import { recordAudit } from '../../db/events/audit.ts'
import { endOperation, operationRuns, operationWaits } from '../../db/operations/operations.ts'
import { claim, isUnconfirmed, retryNow } from '../../db/outgoing/life.ts'
import { dayIn } from '../../rules/hours.ts'
import { messageIdOf } from '../../rules/outgoing.ts'
import { personalName } from '../../rules/personal-name.ts'
import type { MessageInput } from '../../workflows/inputs.ts'
import type { InHand } from '../../workflows/signals.ts'
import { byOperator } from '../common/find-operator.ts'
import { tellOutcome } from '../common/outcomes.ts'
import type { Deps } from '../deps.ts'
import { handOver } from '../outgoing/handover.ts'
import { type Resolution, resolve } from '../outgoing/settle.ts'
import { findLine, reconcileMessage } from './reconcile-message.ts'

/** What the workflow does next. Instants are ISO 8601; delays are milliseconds from the moment of the answer. */
export type MessageStep =
  | { do: 'deliver' | 'end' }
  | { do: 'park'; letter?: InHand }
  | {
      do: 'wait'
      for: 'send_at' | 'turn' | 'next_try'
      until: string | null
      delayMs: number
      /** The message whose turn it is, if the wait for it may be given up. */
      behind?: string
    }

// A signal says when it is the message's turn. In case the signal is lost, the row is read this often.
const turnPollMs = 30_000
// How long to wait for the first message ahead: this much for each message ahead, and at least this long. Then it is passed over.
const turnMs = 200
const patienceMs = 10_000
// How long messages of other accounts are waited for in all: a slow account must not hold up the others.
const othersMs = 60_000

export const sendMessageActivities = (deps: Deps) => {
  const { db, clock } = deps
  const load = (id: string) => findOutgoing(db, id)

  return {
    /**
     * Reads the row and says what is next; ends the operation with the message. `passed` is the message whose turn it was when
     * a wait for it ran out, `waitedMs` how long such waits took. Safe to retry: it only restates the row.
     */
    async messageStep(
      input: MessageInput & { passed?: string | null; waitedMs?: number },
    ): Promise<MessageStep> {
      const message = await load(input.message)
      const now = clock.now()
      if (!message) return { do: 'end' }
      const { passed = null, waitedMs = 0 } = input
      const step = await next(message, { passed, others: waitedMs < othersMs }, now)
      if (step.do === 'wait')
        await operationWaits(
          db,
          input.operation,
          step.for,
          step.until ? new Date(step.until) : null,
        )
      else if (step.do === 'park') await operationWaits(db, input.operation, 'resolve')
      else if (step.do === 'deliver') await operationRuns(db, input.operation)
      else {
        // Messages that wait for this one are told when it goes out, but not when it is cancelled.
        if (message.state === 'cancelled') await wakeNext(db, message, now)
        await endOperation(
          db,
          input.operation,
          { state: endOf(message), result: resultOf(message) },
          now,
        )
      }
      return step
    },

    /**
     * One attempt to deliver. Safe to retry: an attempt that finds another attempt's marker never sends, it reconciles.
     */
    async deliverMessage(input: MessageInput): Promise<void> {
      const message = await load(input.message)
      if (!message || (message.state === 'sending' && message.reason !== null)) return
      await deliver(message, input.operation)
      tellOutcome(deps, 'message', message, await load(message.id))
    },

    /** Safe to retry: only a message that is still queued is cancelled. */
    async cancelMessage(input: { message: string }): Promise<void> {
      await cancelQueuedMessage(db, input.message)
    },

    /** Writes down what a person found out about an unconfirmed message. Safe to retry: only an unconfirmed one is changed. */
    resolveMessage({ message, ...found }: { message: string } & Resolution): Promise<void> {
      return resolve(deps, messageKind, message, found)
    },

    /** Makes the next try due now. Safe to retry: making it due twice changes nothing. */
    async retryMessageNow(input: { message: string; update?: string | undefined }): Promise<void> {
      const message = await load(input.message)
      if (!message) return
      const by = await byOperator(deps, input.update)
      await db.transaction().execute(async (trx) => {
        await retryNow(trx, { table: 'messages', id: message.id })
        await recordAudit(trx, {
          ...by,
          workspace: message.workspace,
          at: clock.now(),
          action: 'message.retried',
          resource: message.id,
          after: {},
        })
      })
    },
  }

  async function deliver(message: OutgoingRow, operation: string) {
    if (message.state === 'sending') return reconcileMessage(deps, message)
    if (message.state !== 'queued') return
    if (message.kind !== 'email' && !(await findLine(deps, message)))
      return forbid(message, 'no_bridge')

    const thread = await findThread(db, message.conversation)
    const messageId = message.messageId ?? messageIdOf(message.id, message.senderHandle)
    await handOver(deps, {
      kind: messageKind,
      row: message,
      connection: message.connection,
      to: message.toAddress,
      letter: () => ({
        toName: personalName(message.toName ?? ''),
        subject: message.subject,
        text: message.text,
        messageId,
        inReplyTo: thread.inReplyTo,
        references: thread.references,
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
        await lockForClaim(trx, message.person, connection)
        const now = clock.now()
        if (await findSuppression(trx, message.workspace, message.toAddress)) {
          await messageForbidden(trx, message, 'suppressed', now)
          return false
        }
        // The conversation was closed as spam while the message was being sent and then put off. Closing cancels what is
        // queued, so this message is cancelled too.
        if (await isClosedAsSpam(trx, message.conversation)) {
          await cancelQueuedMessage(trx, message.id)
          return false
        }
        if (await findMessageBefore(trx, { ...message, dueAt: message.dueAt as Date }, now))
          return false
        return claim(
          trx,
          { table: 'messages', id: message.id },
          {
            connection,
            attempt,
            messageId,
            now,
            day: dayIn(message.timezone, now),
          },
        )
      },
      held: () => operationWaits(db, operation, 'connection'),
    })
  }

  async function next(message: OutgoingRow, patience: Patience, now: Date): Promise<MessageStep> {
    if (message.state === 'sending')
      return isUnconfirmed(message)
        ? { do: 'park', letter: { connection: message.connection } }
        : { do: 'deliver' }
    if (message.state !== 'queued') return { do: 'end' }
    const dueAt = message.dueAt ?? now
    if (dueAt > now) return wait('send_at', dueAt, now)
    const before = await findMessageBefore(db, { ...message, dueAt }, now)
    if (before) return { do: 'wait', for: 'turn', until: null, delayMs: turnPollMs }
    if (message.nextTryAt && message.nextTryAt > now)
      return wait('next_try', message.nextTryAt, now)
    const scheduled =
      message.sendAt && (await findScheduledBefore(db, { ...message, dueAt }, patience, now))
    if (scheduled) {
      const delayMs = Math.max(patienceMs, scheduled.count * turnMs)
      return { do: 'wait', for: 'turn', until: null, delayMs, behind: scheduled.first }
    }
    return { do: 'deliver' }
  }

  function forbid(message: OutgoingRow, reason: string) {
    return db.transaction().execute((trx) => messageForbidden(trx, message, reason, clock.now()))
  }
}

const wait = (what: 'send_at' | 'next_try', at: Date, now: Date): MessageStep => ({
  do: 'wait',
  for: what,
  until: at.toISOString(),
  delayMs: at.getTime() - now.getTime(),
})

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
