import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import type { RefillCursor } from '../activities/segments/segments.ts'
import type { Outcome } from './outcome.ts'

// A run of a schedule: the next one comes in any case, so a batch is tried for some minutes only, and then what is left is
// left to that one.
const judging = proxyActivities<Activities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '15 s',
  retry: { initialInterval: '1 s', maximumInterval: '1 minute', maximumAttempts: 10 },
  summary: 'Judges one batch of new and changed people',
})

/**
 * Judges new and changed people for every segment that is refilled, batch by batch; who matches is written to by the
 * campaigns that run on it. Waits for nothing; continues as new when its history has grown long.
 */
export async function refillSegments(
  from: RefillCursor = { segment: '', after: '' },
): Promise<Outcome> {
  for (let cursor = from; ; ) {
    const next = await judging.refillNext(cursor)
    if (!next) return { state: 'done' }
    cursor = next
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof refillSegments>(cursor)
  }
}
