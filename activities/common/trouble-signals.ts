import type { Db } from '../../db/database.ts'
import { enqueueSignal } from '../../db/operations/outbox.ts'
import { setNewest } from '../../rules/newest.ts'
import type { Trouble } from '../../workflows/waiting.ts'
import type { Teller } from './failures.ts'

// A workflow does not see that its activity fails and is retried. So that the workflow's details and search attributes can show
// what it waits for, the activity signals it: after a few failures, and again when the cause changes. Causes that alternate are
// signalled at most once an hour: a letter may be retried for weeks, and each signal stays in the history, which Temporal
// limits.

const fromAttempt = 3
const atOnce = 5
const everyMs = 60 * 60_000
// This signal only informs, so all other commands go first.
const priority = 4
const mostKept = 10_000

/** Tells workflows about the troubles of their activities. */
export function openTeller({ db, searchable }: { db: Db; searchable?(): boolean }): Teller {
  const told = new Map<string, { code: string; times: number; at: number }>()
  return async ({ activityId, attempt, workflowExecution }, { failure, about, nextTryAt }) => {
    const code = failure.type ?? 'internal'
    if (!workflowExecution) return
    const { workflowId, runId } = workflowExecution
    const which = `${runId} ${activityId}`
    const last = told.get(which)
    const now = performance.now()
    if (attempt < fromAttempt || last?.code === code) return
    if (last && last.times >= atOnce && now - last.at < everyMs) return
    setNewest(told, which, { code, times: (last?.times ?? 0) + 1, at: now }, mostKept)
    const trouble: Trouble = {
      code,
      text: failure.message,
      ...about,
      searchable: searchable?.() === true,
      ...{ activity: activityId, attempt },
      ...(nextTryAt && { nextTryAt: nextTryAt.toISOString() }),
    }
    // Everything else reports a database that cannot be reached.
    await enqueueSignal(db, workflowId, 'troubled', [trouble], { priority }).catch(() => {})
  }
}
