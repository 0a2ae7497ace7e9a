import { findSnooze, wakeConversation } from '../db/conversation-moves.ts'
import { recordEvent } from '../db/events.ts'
import { endOperation, operationWaits } from '../db/operations.ts'
import { notify } from '../db/sending.ts'
import type { Deps } from './deps.ts'

type Input = { operation: string; conversation: string; version: number }

/** What the workflow does next. `until` is ISO 8601, the delay milliseconds from the moment of the answer. */
export type SnoozeStep = { do: 'wait'; until: string; delayMs: number } | { do: 'end' }

export const snoozeConversationActivities = ({ db, clock }: Deps) => {
  return {
    /**
     * Says how long the snooze still is, wakes the conversation when its moment has come, and ends the operation when the
     * snooze is over or a later one has taken its place. Safe to retry: it acts under the snooze's version only.
     */
    async snoozeStep(input: Input): Promise<SnoozeStep> {
      const row = await findSnooze(db, input.conversation)
      const now = clock.now()
      if (row?.snoozeVersion === input.version && row.snoozeUntil && row.snoozeUntil > now) {
        await operationWaits(db, input.operation, 'snooze', row.snoozeUntil)
        return {
          do: 'wait',
          until: row.snoozeUntil.toISOString(),
          delayMs: row.snoozeUntil.getTime() - now.getTime(),
        }
      }
      await end(input, 'done', now)
      return { do: 'end' }
    },

    /** An operator cancelled the wait: the conversation wakes now. Safe to retry: a snooze ends once. */
    async endSnooze(input: Input): Promise<void> {
      await end(input, 'cancelled', clock.now())
    },
  }

  // Waking, word to the owner and the end of the operation are one transaction.
  async function end(input: Input, state: 'done' | 'cancelled', now: Date) {
    await db.transaction().execute(async (trx) => {
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
          ...{ workspace: woken.workspace, at: now, resource: input.conversation },
          kind: 'conversation.woken',
          data: { conversation: input.conversation, state: 'open' },
        })
      const lateMs = woken && before?.snoozeUntil ? now.getTime() - before.snoozeUntil.getTime() : 0
      const result = {
        state: woken ? 'open' : (before?.state ?? null),
        // Still snoozed, and not by this version: a later call has taken over.
        superseded: !woken && before?.state === 'snoozed',
        early: !woken || lateMs < 0,
        // Seconds behind its moment, as of messages and tasks.
        lateBy: Math.max(0, Math.floor(lateMs / 1000)),
      }
      await endOperation(trx, input.operation, { state, result }, now)
    })
  }
}

const backFrom = (subject: string, why: string | null | undefined) =>
  `${subject || 'A conversation'} is back from its snooze${why ? `: ${why}` : '.'}`
