import { activityInfo } from '@temporalio/activity'
import { ApplicationFailure } from '@temporalio/common'
import { findConnectionOf } from '../../db/accounts/connections.ts'
import { messageKind } from '../../db/conversations/message-life.ts'
import { claimOutgoing, type DueRow, findOutgoing } from '../../db/conversations/message-sending.ts'
import { hastenOf } from '../../db/conversations/message-turns.ts'
import { cancelQueuedMessage } from '../../db/conversations/messages.ts'
import { recordAudit } from '../../db/events/audit.ts'
import { operationRuns } from '../../db/operations/operations.ts'
import { retryNow } from '../../db/outgoing/life.ts'
import type { Asked, MessageInput } from '../../workflows/inputs.ts'
import type { Outcome } from '../../workflows/outcome.ts'
import { trouble } from '../common/failures.ts'
import { byOperator } from '../common/find-operator.ts'
import { attemptInHand, beating } from '../common/heartbeat.ts'
import { outcomeIn, tellOutcome } from '../common/outcomes.ts'
import type { Deps } from '../deps.ts'
import { type Resolution, resolve } from '../outgoing/settle.ts'
import { findUnderway } from '../outgoing/underway.ts'
import { deliverMessage, type Sent } from './deliver-message.ts'
import { type MessageStep, noteStep, stepOf, type Waited } from './message-steps.ts'
import { takeKnown } from './read-ahead.ts'
import { withinMoment } from './send-at-once.ts'

type Ended = { do: 'end'; outcome: Outcome }
type Step =
  | Exclude<MessageStep, { do: 'deliver' | 'end' }>
  | { do: 'end'; outcome?: Outcome; isOthers?: true }

// After an attempt that did not send the message, its row says what is next. Only a message that changes all the time is tried
// as often as this.
const mostTries = 5

export const sendMessageActivities = (deps: Deps) => {
  const { db, clock } = deps

  return {
    /**
     * Claims the operation for the run and sends the message if it may go now; otherwise answers what it waits for. Safe to
     * retry: an attempt that finds another attempt's marker never sends, it reconciles.
     */
    sendDueMessage: (input: MessageInput & Asked & Waited & { firstExecutionRunId: string }) =>
      beating(async (): Promise<Step> => {
        // One that has taken longer than a moment.
        await findUnderway(input.message)
        for (let tries = 0; tries < mostTries; tries++) {
          const step = await sendIfDue(input)
          if (step) return step
        }
        throw trouble('busy', 'The message changes all the time; it is looked at again later.')
      }),

    /**
     * Sends a message that this process has read already, and answers how its operation ended; null if it has not gone within a
     * moment. Never fails. Safe to repeat: a message is given out once, and what has become of it is then in its row.
     */
    async sendMessageAtOnce(
      input: MessageInput & { firstExecutionRunId: string },
    ): Promise<Outcome | null> {
      const step = await withinMoment(input.message, {
        run: (isOver) => sendKnown(input, isOver),
        // What cannot be got past, the usual activity meets again, and says so.
        failed: (err) =>
          err instanceof ApplicationFailure ||
          deps.log.warn(
            { message: input.message, err },
            'a message could not be handed over at once',
          ),
      })
      return typeof step === 'object' ? step.outcome : null
    },

    /** Safe to retry: only a message that is still queued is cancelled, and only by the run that owns its operation. */
    async cancelMessage(input: { message: string; firstExecutionRunId?: string }): Promise<void> {
      await cancelQueuedMessage(db, input.message, input.firstExecutionRunId)
    },

    /** Writes down what a person found out about an unconfirmed message. Safe to retry: only an unconfirmed one is changed. */
    resolveMessage({ message, ...found }: { message: string } & Resolution): Promise<void> {
      return resolve(deps, messageKind, message, found)
    },

    /** Makes the next try due now. Safe to retry: making it due twice changes nothing. */
    async retryMessageNow(input: { message: string; update?: string | undefined }): Promise<void> {
      const message = await findOutgoing(db, input.message)
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

  type Owned = MessageInput & Asked & { firstExecutionRunId: string }

  function runOf({ firstExecutionRunId }: Owned) {
    const { runId = firstExecutionRunId } = activityInfo().workflowExecution ?? {}
    return { firstExecutionRunId, runId }
  }

  /**
   * Makes an attempt at a message that was read ahead; `unread` if it was not. Undefined if the attempt has not sent it: its row
   * says more. Nothing is claimed once `isOver`.
   */
  async function sendKnown(
    input: Owned,
    isOver = () => false,
  ): Promise<Ended | undefined | 'unread'> {
    const known = await takeKnown(input.message)
    if (!known) return 'unread'
    let isLate = false
    const mayClaim = () => {
      isLate = isOver()
      return !isLate
    }
    const delivery = { ...input, ...known, run: runOf(input), mayClaim }
    const sent = await deliverMessage(deps, known.message, delivery)
    return isLate ? undefined : told(known.message, sent)
  }

  /** Undefined if an attempt was made and has not sent the message: its row says more. */
  async function sendIfDue(input: Owned & Waited): Promise<Step | undefined> {
    const { operation, firstExecutionRunId } = input
    const now = clock.now()
    const known = await sendKnown(input)
    if (known !== 'unread') return known
    const run = runOf(input)
    if (input.asked && attemptInHand() === 1) await hastenOf(db, input.message, now)
    const [message, account] = await Promise.all([
      claimOutgoing(db, input, run, now),
      findConnectionOf(db, input.message),
    ])
    if (!message) return { do: 'end' }
    if (!message.isClaimed) {
      const isOthers = message.ownerRun !== null && message.ownerRun !== firstExecutionRunId
      return isOthers ? { do: 'end', isOthers } : { do: 'end' }
    }
    const step = await stepOf(db, message, input, now)
    if (step.do !== 'deliver') {
      await noteStep(db, operation, message, step, now)
      return step
    }
    // A message that waits for its account is shown as waiting until it has gone.
    if (message.waitingFor !== null && message.waitingFor !== 'connection')
      await operationRuns(db, operation)
    return told(message, await deliverMessage(deps, message, { ...input, account }))
  }

  async function told(message: DueRow, sent: Sent | undefined): Promise<Ended | undefined> {
    const after = sent ? { ...message, ...sent } : await findOutgoing(db, message.id)
    tellOutcome(deps, 'message', message, after)
    return sent && { do: 'end', outcome: outcomeIn('done', sent) }
  }
}
