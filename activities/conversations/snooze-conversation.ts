import { findSnooze, lockSnoozesBefore, wakeConversation } from '../../db/conversations/moves.ts'
import { retrying, type Trx } from '../../db/database.ts'
import { recordEvent } from '../../db/events/events.ts'
import { notify } from '../../db/events/notifications.ts'
import { endOperation, operationWaits } from '../../db/operations/operations.ts'
import { openPlaces } from '../../process/limits/places.ts'
import type { SnoozeInput } from '../../workflows/inputs.ts'
import type { Deps } from '../deps.ts'

type Snooze = Omit<SnoozeInput, 'operation'> & { operation: string | null }

/** What the workflow does next. `until` is ISO 8601; the delay is milliseconds from the moment of the answer. */
export type SnoozeStep = { do: 'wait'; until: string; delayMs: number } | { do: 'end' }

const batch = 50
// A batch may conflict with work that locks several conversations in another order; one of the two then starts again.
const tries = 5

// After a long stop, hundreds of snoozes of a workspace end at once, and the first does the work of all. The others queue here
// instead of waiting for its locks.
const waking = openPlaces({ name: 'snoozes', ofKey: 1 })

export const snoozeConversationActivities = ({ db, clock }: Deps) => {
  return {
    /**
     * Says how long the snooze still lasts, wakes the conversation at its time, and ends the operation if the snooze is over or
     * a later one has replaced it. Overdue conversations with an earlier time wake first: after a stop, all come back in the
     * order of their times. Safe to retry: it changes only a snooze of its own version.
     */
    async snoozeStep(input: SnoozeInput): Promise<SnoozeStep> {
      const row = await findSnooze(db, input.conversation)
      const now = clock.now()
      const until = row?.snoozeVersion === input.version ? row.snoozeUntil : null
      if (until && until > now) {
        await operationWaits(db, input.operation, 'snooze', until)
        return {
          do: 'wait',
          until: until.toISOString(),
          delayMs: until.getTime() - now.getTime(),
        }
      }
      if (row && until) await endBefore(row.workspace, until, now)
      await db.transaction().execute((trx) => end(trx, input, 'done', now))
      return { do: 'end' }
    },

    /** An operator cancelled the wait: the conversation wakes now. Safe to retry: a snooze ends once. */
    async endSnooze(input: SnoozeInput): Promise<void> {
      await db.transaction().execute((trx) => end(trx, input, 'cancelled', clock.now()))
    },
  }

  async function endBefore(workspace: string, until: Date, now: Date) {
    const endSome = async (trx: Trx) => {
      const snoozes = await lockSnoozesBefore(trx, workspace, until, batch)
      for (const { id, snoozeVersion: version, snoozeOperation: operation } of snoozes)
        await end(trx, { operation, conversation: id, version }, 'done', now)
      return snoozes.length
    }
    const leave = await waking.take(workspace)
    try {
      while ((await retrying(tries, () => db.transaction().execute(endSome))) > 0);
    } finally {
      leave()
    }
  }

  // Waking, notifying the owner and ending the operation are one transaction.
  async function end(trx: Trx, input: Snooze, state: 'done' | 'cancelled', now: Date) {
    const before = await findSnooze(trx, input.conversation)
    const woken = await wakeConversation(trx, input.conversation, input.version)
    if (woken?.owner)
      await notify(trx, {
        workspace: woken.workspace,
        member: woken.owner,
        at: now,
        kind: 'conversation.woken',
        text: backFrom(woken.subject, before?.why),
        conversation: input.conversation,
      })
    if (woken)
      await recordEvent(trx, {
        workspace: woken.workspace,
        at: now,
        resource: input.conversation,
        kind: 'conversation.woken',
        data: { conversation: input.conversation, state: 'open' },
      })
    const lateMs = woken && before?.snoozeUntil ? now.getTime() - before.snoozeUntil.getTime() : 0
    const result = {
      state: woken ? 'open' : (before?.state ?? null),
      // Still snoozed, but under another version: a later call has replaced this snooze.
      superseded: !woken && before?.state === 'snoozed',
      early: !woken || lateMs < 0,
      // Seconds after the snooze's time, as for messages and tasks.
      lateBy: Math.max(0, Math.floor(lateMs / 1000)),
    }
    if (input.operation) await endOperation(trx, input.operation, { state, result }, now)
  }
}

const backFrom = (subject: string, why: string | null | undefined) =>
  `${subject || 'A conversation'} is back from its snooze${why ? `: ${why}` : '.'}`
