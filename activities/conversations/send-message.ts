import { activityInfo } from '@temporalio/activity'
import { ApplicationFailure } from '@temporalio/common'
import { type ConnectionRow, findConnectionOf } from '../../db/accounts/connections.ts'
import { endWith, messageForbidden, messageKind } from '../../db/conversations/message-life.ts'
import {
  claimMessage,
  claimOutgoing,
  type DueRow,
  findOutgoing,
  isMessageHeld,
} from '../../db/conversations/message-sending.ts'
import {
  awakeInLine,
  findScheduledBefore,
  hastenOf,
  mostCounted,
  placeInLine,
  wakeNext,
} from '../../db/conversations/message-turns.ts'
import { cancelQueuedMessage } from '../../db/conversations/messages.ts'
import type { Db } from '../../db/database.ts'
import { recordAudit } from '../../db/events/audit.ts'
import { operationRuns, operationWaits } from '../../db/operations/operations.ts'
import { isUnconfirmed, retryNow } from '../../db/outgoing/life.ts'
import { connectionRemoved, messageIdOf } from '../../rules/outgoing.ts'
import type { Asked, MessageInput } from '../../workflows/inputs.ts'
import type { Outcome } from '../../workflows/outcome.ts'
import type { InHand } from '../../workflows/signals.ts'
import { trouble } from '../common/failures.ts'
import { byOperator } from '../common/find-operator.ts'
import { attemptInHand, beating } from '../common/heartbeat.ts'
import { outcomeIn, tellOutcome } from '../common/outcomes.ts'
import type { Deps } from '../deps.ts'
import { type Claimant, handOver } from '../outgoing/handover.ts'
import { heldPollMs } from '../outgoing/held.ts'
import { waitFor } from '../outgoing/resting.ts'
import { type Resolution, resolve } from '../outgoing/settle.ts'
import { findUnderway } from '../outgoing/underway.ts'
import { lineOf } from '../ports/bridge/bridge.ts'
import { isWide } from '../ports/mail/compose.ts'
import { isTaken, listTaken, turnIsOver, untilTurn } from './line.ts'
import { headOf, letterOf } from './message-letter.ts'
import { reconcileMessage } from './reconcile-message.ts'
import { takePlace, withinMoment } from './send-at-once.ts'
import { toBridge } from './to-bridge.ts'

// A message from its operation to its end. One file, because what it waits for decides whether it is handed over.

type Owned = MessageInput & { firstExecutionRunId: string }
type Step =
  | Exclude<MessageStep, { do: 'deliver' | 'end' }>
  | { do: 'end'; outcome?: Outcome; isOthers?: true }

// How long an attempt waits for its turn before that is given up until a signal comes.
const turnComesMs = 5_000

// After an attempt that did not send the message, its row says what is next. Only a message that changes all the time is tried
// as often as this.
const mostTries = 5

export const sendMessageActivities = (deps: Deps) => {
  const { clock } = deps
  // Each step of a message is a few rows, so all of them have the connections of claims.
  const { letters: db = deps.db } = deps

  return {
    /**
     * Claims the operation for the run and sends the message if it may go now; otherwise answers what it waits for. Safe to
     * retry: an attempt that finds another attempt's marker never sends, it reconciles.
     */
    sendDueMessage: (input: Owned & Asked & Waited) =>
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
     * The same for a message whose mail server is quick, within a moment: answers how its operation ended, or null if it has not
     * gone. Never fails. Safe to repeat, as sendDueMessage is.
     */
    async sendMessageAtOnce(input: Owned): Promise<Outcome | null> {
      const step = await atOnce(input)
      return step?.do === 'end' ? (step.outcome ?? null) : null
    },

    /**
     * The same for a message whose moment, or turn, has come: answers what is next, or null if that is for the usual activity to
     * find out. Never fails. Safe to repeat, as sendDueMessage is.
     */
    sendMessageWhenDue: async (input: Owned & Waited): Promise<Step | null> => {
      // Without a place, one that is not first in its line is told so all the same.
      let hasPlace = false
      const step = await atOnce(input, {
        admit(account) {
          hasPlace ||= takePlace(input.message, account)
        },
        mayClaim: () => hasPlace,
      })
      return step?.do === 'end' || (step?.do === 'wait' && step.for === 'turn') ? step : null
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

  function atOnce(input: Owned & Waited, given?: Going) {
    return withinMoment(input.message, {
      run: (isOver) =>
        sendIfDue(input, { ...given, mayClaim: () => !isOver() && given?.mayClaim() !== false }),
      // The usual activity meets the same trouble, and says so.
      failed: (err) =>
        err instanceof ApplicationFailure ||
        deps.log.warn(
          { message: input.message, err },
          'a message could not be handed over at once',
        ),
    })
  }

  type Going = {
    /** Asked right before the claim. */
    mayClaim(): boolean
    /** Called once it is known that the message may go through its account, or is to wait for its turn there. */
    admit?(account: string): void
  }

  /** Undefined if an attempt was made and has not sent the message: its row says more. */
  async function sendIfDue(
    input: Owned & Asked & Waited,
    { mayClaim, admit }: Going = { mayClaim: () => true },
  ): Promise<Step | undefined> {
    const { operation, firstExecutionRunId } = input
    const now = clock.now()
    const { runId = firstExecutionRunId } = activityInfo().workflowExecution ?? {}
    if (input.asked && attemptInHand() === 1) await hastenOf(db, input.message, now)
    const [message, account] = await Promise.all([
      claimOutgoing(db, input, { firstExecutionRunId, runId }, now),
      findConnectionOf(db, input.message),
    ])
    if (!message) return { do: 'end' }
    if (!message.isClaimed) {
      const isOthers = message.ownerRun !== null && message.ownerRun !== firstExecutionRunId
      return isOthers ? { do: 'end', isOthers } : { do: 'end' }
    }
    let step = await stepOf(db, message, input, now, 1)
    if (account && (step.do === 'deliver' || (step.do === 'wait' && step.isOwnLine)))
      admit?.(account.id)
    if (step.do === 'wait' && step.behind) {
      const hasCome =
        step.isOwnLine && account && (await waitForTurn(message, account.id, input, mayClaim))
      // Whatever else may hold it up is checked by its claim. How many go before says how long it waits.
      step = hasCome ? { do: 'deliver' } : await stepOf(db, message, input, clock.now())
    }
    if (step.do !== 'deliver') {
      await noteStep(db, operation, message, step, now)
      // Who ends a hold, or has sent what goes before, wakes those that are known to wait for it.
      if (step.do === 'wait' && (await isOver(message, step, input))) return undefined
      return step
    }
    // A message that waits for its account is shown as waiting until it has gone.
    if (message.waitingFor !== null && message.waitingFor !== 'connection')
      await operationRuns(db, operation)
    if (message.state !== 'sending') {
      if (!mayClaim()) return undefined
      return sendOne(message, account, { ...input, mayClaim }).finally(() => turnIsOver(message))
    }
    await reconcileMessage(deps, message)
    tellOutcome(deps, 'message', message, await findOutgoing(db, message.id))
    return undefined
  }

  /** Whether what a message has just been written down to wait for is over. */
  async function isOver(message: DueRow, step: MessageStep & { do: 'wait' }, waited: Waited) {
    if (step.for === 'held') return !(await isMessageHeld(db, message.id))
    return step.isOwnLine === true && (await isFirst(message, waited))
  }

  /** Whether none of its account's messages goes before it by its `sendAt`, but for those that it has waited for too long. */
  async function isFirst(message: DueRow, { passed = null }: Waited): Promise<boolean> {
    const now = clock.now()
    const of = { ...message, dueAt: message.dueAt ?? now }
    const patience = { passed, taken: listTaken(), others: false }
    return !(await findScheduledBefore(db, of, patience, now, 1))
  }

  function waitForTurn(message: DueRow, account: string, waited: Waited, mayClaim: () => boolean) {
    const until = performance.now() + turnComesMs
    const place = { account, dueAt: message.dueAt ?? clock.now(), seq: message.seq }
    return untilTurn(place, {
      hasCome: () => isFirst(message, waited),
      goesOn: () => mayClaim() && performance.now() < until,
    })
  }

  /** One attempt, and what the workflow of the message does next if it was sent. */
  async function sendOne(message: DueRow, account: ConnectionRow | undefined, attempt: Attempt) {
    const { sent } = (await deliver(message, account, attempt)) ?? {}
    if (sent) {
      tellOutcome(deps, 'message', message, { ...message, ...sent })
      return { do: 'end', outcome: outcomeIn('done', sent) } as const
    }
    tellOutcome(deps, 'message', message, await findOutgoing(db, message.id))
    return undefined
  }

  type Attempt = { operation: string; mayClaim(): boolean } & Asked

  /** One attempt to hand the message over. */
  async function deliver(
    message: DueRow,
    account: ConnectionRow | undefined,
    { operation, asked, mayClaim }: Attempt,
  ) {
    if (account?.removedAt) return void (await forbid(message, connectionRemoved))
    if (message.kind !== 'email' && !(account && lineOf(deps, account)))
      return void (await forbid(message, 'no_bridge'))
    return handOver(deps, {
      kind: messageKind,
      id: message.id,
      account,
      asked,
      claim: async (by) => (mayClaim() ? claim(message, by) : undefined),
      letter: (claimed) => letterOf(deps, claimed),
      taken: () => isTaken(message),
      toBridge: () => toBridge(deps, message),
      held: () => operationWaits(db, operation, 'connection'),
    })
  }

  async function claim(
    message: DueRow,
    { attempt, account, takesWide, isProbe }: Claimant,
  ): Promise<DueRow | undefined> {
    const messageId = message.messageId ?? messageIdOf(message.id, message.senderHandle)
    const unreachable = takesWide ? [] : [...message.cc, ...message.bcc].filter(isWide)
    const cc = message.cc.filter((one) => !unreachable.includes(one))
    const head = headOf({ ...message, cc }, account.memberName, clock.now())
    const marker = { connection: account.id, attempt, messageId, head }
    const found = await claimMessage(db, clock, message, marker, { unreachable, isProbe })
    if (found.isSuppressed) await forbid(message, 'suppressed')
    // The conversation was closed as spam while the message was being sent and then put off. Closing cancels what is queued,
    // so this message is cancelled too.
    else if (found.isSpam) await cancelQueuedMessage(db, message.id)
    return found.claimed
  }

  function forbid(message: DueRow, reason: string) {
    return db.transaction().execute((trx) => messageForbidden(trx, message, reason, clock.now()))
  }
}

// What is next for a message that is to go out, by its row.

/** What the workflow does next. Instants are ISO 8601; delays are milliseconds from the moment of the answer. */
export type MessageStep =
  | { do: 'deliver' }
  | { do: 'end' }
  | { do: 'park'; letter?: InHand }
  | {
      do: 'wait'
      for: 'send_at' | 'turn' | 'next_try' | 'held'
      until: string | null
      delayMs: number
      /** The message whose turn it is, if the wait for it may be given up. */
      behind?: string
      /** It goes through the same account. */
      isOwnLine?: boolean
      /** The reason of the hold. */
      why?: string
    }

/** What the workflow has waited for so far: `passed` is the message whose turn it was when a wait for it ran out. */
export type Waited = { passed?: string | null; waitedMs?: number }

// A signal says when it is the message's turn. In case the signal is lost, the row is read this often.
const turnPollMs = 30_000
// How long to wait for the first message ahead: this much for each message ahead, and at least this long. Then it is passed over.
const turnMs = 200
const patienceMs = 10_000
// How far apart those ask whom nobody calls up, and within what time before their moment they look how many there are.
const apartMs = 200
const farDaysMs = 6 * 24 * 60 * 60_000
// One with more ahead than are counted is told when its turn comes; thousands that asked more often would take the cluster's time from
// those that go.
const farMs = 5 * 60_000
// How long messages of other accounts are waited for in all: a slow account must not hold up the others.
const othersMs = 60_000

export async function stepOf(
  db: Db,
  message: DueRow,
  { passed = null, waitedMs = 0 }: Waited,
  now: Date,
  most = mostCounted,
): Promise<MessageStep> {
  if (message.state === 'sending')
    return isUnconfirmed(message)
      ? { do: 'park', letter: { connection: message.connection } }
      : { do: 'deliver' }
  if (message.state !== 'queued') return { do: 'end' }
  const dueAt = message.dueAt ?? now
  if (dueAt > now) {
    const step = wait('send_at', dueAt, now)
    if (!message.sendAt || step.delayMs > farDaysMs) return step
    return { ...step, delayMs: step.delayMs + (await afterThose(db, { ...message, dueAt })) }
  }
  if (message.heldWhy !== null)
    return { do: 'wait', for: 'held', until: null, delayMs: heldPollMs, why: message.heldWhy }
  if (message.isBehind) return { do: 'wait', for: 'turn', until: null, delayMs: turnPollMs }
  if (message.nextTryAt && message.nextTryAt > now) return wait('next_try', message.nextTryAt, now)
  const patience = { passed, taken: listTaken(), others: waitedMs < othersMs }
  const rest = message.rest && { ...message.rest, probeAt: new Date(message.rest.probeAt) }
  if (rest && rest.probeAt > now)
    return { ...wait('next_try', rest.probeAt, now), delayMs: waitFor(rest, now) }
  const scheduled =
    message.sendAt && (await findScheduledBefore(db, { ...message, dueAt }, patience, now, most))
  if (!scheduled) return { do: 'deliver' }
  const delayMs =
    scheduled.count < mostCounted
      ? Math.max(patienceMs, scheduled.count * turnMs)
      : farMs * (1 + Math.random())
  const { id: behind, isOwn: isOwnLine } = scheduled
  return { do: 'wait', for: 'turn', until: null, delayMs, behind, isOwnLine }
}

/**
 * How much later than its moment a message asks whether it is its turn, if many of its account are due then: the line calls it up
 * before that as fast as it moves, so that they do not all ask at once.
 */
async function afterThose(db: Db, message: Parameters<typeof placeInLine>[1]): Promise<number> {
  const place = await placeInLine(db, message)
  return Math.max(0, place - awakeInLine + 1) * apartMs
}

const wait = (what: 'send_at' | 'next_try', at: Date, now: Date) => ({
  do: 'wait' as const,
  for: what,
  until: at.toISOString(),
  delayMs: at.getTime() - now.getTime(),
})

/** Shows in the operation what its message waits for, or ends the operation with it. */
export async function noteStep(
  db: Db,
  operation: string,
  message: DueRow,
  step: Exclude<MessageStep, { do: 'deliver' }>,
  now: Date,
) {
  if (step.do === 'wait')
    return operationWaits(
      db,
      operation,
      step.for,
      step.until ? new Date(step.until) : null,
      step.why,
    )
  if (step.do === 'park') return operationWaits(db, operation, 'resolve')
  // Messages that wait for this one are woken when it goes out, but not when it is cancelled.
  if (message.state === 'cancelled') await wakeNext(db, message, now)
  await endWith(db, { ...message, operation }, now)
}
