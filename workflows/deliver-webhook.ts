import { proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import type { DeliveryInput } from './inputs.ts'
import type { Outcome } from './outcome.ts'
import { waitFor } from './process.ts'

// What fails here is ours (a database that is away), and is tried until it heals.
const post = proxyActivities<Activities>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
  summary: 'Hands the event to the workflow of its webhook',
})

/**
 * What carried one event to one webhook until 0.3.0. Those that still run end when they look: `deliverEvents` has taken over.
 * It is never started any more.
 */
export async function deliverWebhook(input: DeliveryInput): Promise<Outcome> {
  for (;;) {
    const step = await post.tryDelivery(input)
    if (step.do === 'end') return { state: 'done', reason: 'taken_over' }
    await waitFor(
      `The address has not taken the event; it is tried again at ${step.until}.`,
      step.delayMs,
      () => false,
    )
  }
}
