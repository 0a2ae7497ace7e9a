import { CancellationScope, proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import type { RoutingInput } from './inputs.ts'
import { ended, notOurs, type Outcome } from './outcome.ts'
import { isCancel, owns, rowsTo } from './process.ts'

// A batch takes 8 s at most; a missing heartbeat shows that the worker died. Retries have no limit: each attempt
// continues after the last page, and a database that is down comes back.
const handing = proxyActivities<Activities>({
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '8 s',
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  retry: { initialInterval: '500 ms', maximumInterval: '30 s' },
  summary: 'Assigns one batch of conversations',
})
const edit = rowsTo('Notifies the owners and answers the call')

/**
 * Assigns one batch of the conversations without an owner and answers the caller, who requests the next batch with
 * another call. It waits for nothing, so it never continues as new.
 */
export async function applyRouting(input: RoutingInput): Promise<Outcome> {
  if (!(await owns(input.operation))) return notOurs
  try {
    await handing.handOutConversations(input)
  } catch (error) {
    // Cancel in the Web UI: the caller gets an answer that covers the work done so far.
    if (!isCancel(error)) throw error
  }
  return (await CancellationScope.nonCancellable(() => edit.answerRouted(input))) ?? ended
}
