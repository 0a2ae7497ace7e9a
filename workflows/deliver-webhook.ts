import { proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import { waitFor } from './process.ts'

export type DeliveryInput = { delivery: string; round: number }

// The address has fifteen seconds. What fails here is ours (a database that is away), and is tried until it heals; what the
// address answers is a step like any other.
const post = proxyActivities<Activities>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
  summary: 'Sends the event to the webhook',
})

/**
 * Sends one event to one webhook, and again after growing waits until it is taken or given up after some three days: ten
 * tries, too few to continue as new. Waits for nothing else. It needs no operation: its row says whether it is still to go.
 */
export async function deliverWebhook(input: DeliveryInput): Promise<void> {
  for (;;) {
    const step = await post.tryDelivery(input)
    if (step.do === 'end') return
    await waitFor(`Not taken yet; the next try is at ${step.until}.`, step.delayMs, () => false)
  }
}
