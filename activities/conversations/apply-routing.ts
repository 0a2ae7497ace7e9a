import { CancelledFailure, cancellationSignal, heartbeat } from '@temporalio/activity'
import { endBatch, handOutPage } from '../../db/conversations/routing-batches.ts'
import type { RoutingInput } from '../../workflows/inputs.ts'
import type { Deps } from '../deps.ts'

// A caller waits for 25 s: a batch of 8 s leaves room for another attempt if a worker dies during the first. The number keeps
// what one call does to the inbox within what its caller can review.
const batchMs = 8_000
const limits = { page: 100, most: 500 }

export const applyRoutingActivities = ({ db, clock, crash }: Deps) => ({
  /**
   * Assigns conversations page by page, up to 500 or for 8 s. Safe to retry: a page, its audit lines and the cursor after it
   * are one transaction, and only a conversation without an owner gets one.
   */
  async handOutConversations(input: RoutingInput): Promise<void> {
    const until = performance.now() + batchMs
    for (let more = true; more && performance.now() < until; ) {
      if (cancellationSignal().aborted) throw new CancelledFailure('The batch was stopped.')
      heartbeat()
      crash('before-page')
      more = await handOutPage(db, input.operation, limits, clock.now())
      crash('after-page')
    }
  },

  /** Notifies the new owners and answers the call. Safe to retry: both are one transaction, which ends the operation once. */
  async answerRouted(input: RoutingInput): Promise<void> {
    await endBatch(db, input.operation, clock.now())
  },
})
