import { endWith } from '../../db/conversations/message-life.ts'
import type { DueRow } from '../../db/conversations/message-sending.ts'
import {
  findScheduledBefore,
  type Patience,
  wakeNext,
} from '../../db/conversations/message-turns.ts'
import type { Db } from '../../db/database.ts'
import { operationWaits } from '../../db/operations/operations.ts'
import { isUnconfirmed } from '../../db/outgoing/life.ts'
import type { InHand } from '../../workflows/signals.ts'
import { waitFor } from '../outgoing/resting.ts'

// What is next for a message that is to go out, by its row.

/** What the workflow does next. Instants are ISO 8601; delays are milliseconds from the moment of the answer. */
export type MessageStep =
  | { do: 'deliver' }
  | { do: 'end' }
  | { do: 'park'; letter?: InHand }
  | {
      do: 'wait'
      for: 'send_at' | 'turn' | 'next_try'
      until: string | null
      delayMs: number
      /** The message whose turn it is, if the wait for it may be given up. */
      behind?: string
    }

/** What the workflow has waited for so far: `passed` is the message whose turn it was when a wait for it ran out. */
export type Waited = { passed?: string | null; waitedMs?: number }

// A signal says when it is the message's turn. In case the signal is lost, the row is read this often.
const turnPollMs = 30_000
// How long to wait for the first message ahead: this much for each message ahead, and at least this long. Then it is passed over.
const turnMs = 200
const patienceMs = 10_000
// How long messages of other accounts are waited for in all: a slow account must not hold up the others.
const othersMs = 60_000

export async function stepOf(
  db: Db,
  message: DueRow,
  { passed = null, waitedMs = 0 }: Waited,
  now: Date,
): Promise<MessageStep> {
  if (message.state === 'sending')
    return isUnconfirmed(message)
      ? { do: 'park', letter: { connection: message.connection } }
      : { do: 'deliver' }
  if (message.state !== 'queued') return { do: 'end' }
  const dueAt = message.dueAt ?? now
  if (dueAt > now) return wait('send_at', dueAt, now)
  if (message.isBehind) return { do: 'wait', for: 'turn', until: null, delayMs: turnPollMs }
  if (message.nextTryAt && message.nextTryAt > now) return wait('next_try', message.nextTryAt, now)
  const patience: Patience = { passed, others: waitedMs < othersMs }
  const rest = message.rest && { ...message.rest, probeAt: new Date(message.rest.probeAt) }
  if (rest && rest.probeAt > now)
    return { ...wait('next_try', rest.probeAt, now), delayMs: waitFor(rest, now) }
  const scheduled =
    message.sendAt && (await findScheduledBefore(db, { ...message, dueAt }, patience, now))
  if (!scheduled) return { do: 'deliver' }
  const delayMs = Math.max(patienceMs, scheduled.count * turnMs)
  return { do: 'wait', for: 'turn', until: null, delayMs, behind: scheduled.first }
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
    return operationWaits(db, operation, step.for, step.until ? new Date(step.until) : null)
  if (step.do === 'park') return operationWaits(db, operation, 'resolve')
  // Messages that wait for this one are told when it goes out, but not when it is cancelled.
  if (message.state === 'cancelled') await wakeNext(db, message, now)
  await endWith(db, { ...message, operation }, now)
}
