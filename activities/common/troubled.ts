import type { Db } from '../../db/database.ts'
import { enqueueSignal } from '../../db/operations/outbox.ts'
import { listensForTrouble } from '../../workflows/catalogue.ts'
import type { Trouble } from '../../workflows/waiting.ts'
import type { Teller } from './trouble.ts'

// A workflow does not see that its activity fails and is tried again. So that its details and search attributes can say what it
// waits for, the activity says so: once it has failed some times, and for each other cause. Causes that take turns are told of now
// and then: a letter may be tried for weeks, and what it is told stays in its history, which Temporal bounds.

const fromAttempt = 3
const atOnce = 5
const everyMs = 60 * 60_000
// It makes nothing go on, so everything else goes first.
const priority = 4
const mostKept = 10_000

/** Tells workflows of the troubles of their activities. */
export function openTeller({ db, searchable }: { db: Db; searchable?(): boolean }): Teller {
  const told = new Map<string, { code: string; times: number; at: number }>()
  return async ({ activityId, attempt, workflowExecution, workflowType }, failure, about) => {
    const code = failure.type ?? 'internal'
    if (!workflowExecution || !listensForTrouble.has(workflowType ?? '')) return
    const { workflowId, runId } = workflowExecution
    const which = `${runId} ${activityId}`
    const last = told.get(which)
    const now = performance.now()
    if (attempt < fromAttempt || last?.code === code) return
    if (last && last.times >= atOnce && now - last.at < everyMs) return
    told.set(which, { code, times: (last?.times ?? 0) + 1, at: now })
    if (told.size > mostKept) told.delete(told.keys().next().value as string)
    const trouble: Trouble = {
      code,
      text: failure.message,
      ...about,
      searchable: searchable?.() === true,
    }
    // A database that is away is told of by other means.
    await enqueueSignal(db, workflowId, 'troubled', [trouble], { priority }).catch(() => {})
  }
}
