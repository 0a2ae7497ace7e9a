import { continueAsNew, workflowInfo } from '@temporalio/workflow'
import type { RefillCursor } from '../activities/segments/segments.ts'
import { remoteQueue } from './ids.ts'
import type { Outcome } from './outcome.ts'
import { activitiesOn } from './process.ts'

// A schedule starts this. The next run comes in any case, so a batch is retried for some minutes only; the next run
// does the rest.
const judging = activitiesOn(remoteQueue, {
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '15 s',
  retry: { initialInterval: '1 s', maximumInterval: '1 minute', maximumAttempts: 10 },
  summary: 'Judges one batch of new and changed people',
})

/**
 * Judges new and changed people for every segment with refill, batch by batch, the segments in turn. The campaigns that run on the
 * segment write to those who match. It waits for nothing, and continues as new when its history has grown long.
 */
export async function refillSegments(from: RefillCursor = {}): Promise<Outcome> {
  for (let cursor = from; ; ) {
    const next = await judging.refillNext(cursor)
    if (!next) return { state: 'done' }
    cursor = next
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof refillSegments>(cursor)
  }
}
