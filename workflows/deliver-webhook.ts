import { proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import type { DeliveryInput } from './inputs.ts'
import type { Outcome } from './outcome.ts'
import { waitFor } from './process.ts'

// An error here is ours (such as a database that is down) and is retried without end.
const post = proxyActivities<Activities>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
  summary: 'Passes the event to the workflow of its webhook',
})

/**
 * Until 0.3.0 this carried one event to one webhook. Runs that are still open end at their next step, since `deliverEvents` has
 * taken over. It is no longer started.
 */
export async function deliverWebhook(input: DeliveryInput): Promise<Outcome> {
  for (;;) {
    const step = await post.tryDelivery(input)
    if (step.do === 'end') return { state: 'done', reason: 'taken_over' }
    await waitFor(
      `The address has not accepted the event; the next attempt is at ${step.until}.`,
      step.delayMs,
      () => false,
    )
  }
}
