import { CancellationScope, isCancellation, proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import type { RoutingInput } from './inputs.ts'
import { ended, notOurs, type Outcome } from './outcome.ts'
import { owns, rowsTo } from './process.ts'

// A batch takes 8 s at most; a worker that died is noticed by its missing heartbeat. Retried without end, because each attempt
// goes on behind the last page and a database that is away comes back.
const handing = proxyActivities<Activities>({
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '8 s',
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  retry: { initialInterval: '500 ms', maximumInterval: '30 s' },
  summary: 'Hands out one batch of conversations',
})
const edit = rowsTo('Tells the owners and answers the call')

/**
 * Hands out one batch of the conversations nobody owns and answers the caller, who goes on by another call. Waits for nothing,
 * so it never continues as new.
 */
export async function applyRouting(input: RoutingInput): Promise<Outcome> {
  if (!(await owns(input.operation))) return notOurs
  try {
    await handing.handOutConversations(input)
  } catch (error) {
    // Cancel in the Web UI: the caller is answered what was done until then.
    if (!isCancellation(error)) throw error
  }
  return (await CancellationScope.nonCancellable(() => edit.answerRouted(input))) ?? ended
}
