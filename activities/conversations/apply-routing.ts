import { CancelledFailure, cancellationSignal, heartbeat } from '@temporalio/activity'
import { endBatch, handOutPage } from '../../db/conversations/routing-batches.ts'
import type { RoutingInput } from '../../workflows/inputs.ts'
import type { Deps } from '../deps.ts'

// A caller waits for 25 s: a batch of 8 s leaves room for another attempt when a worker dies over the first. The number keeps
// what one call does to the inbox within what its caller can look over.
const batchMs = 8_000
const limits = { page: 100, most: 500 }

export const applyRoutingActivities = ({ db, clock, crash }: Deps) => ({
  /**
   * Hands out conversations page by page, up to 500 or for 8 s. Safe to retry: a page, its audit lines and the cursor behind it
   * are one transaction, and only a conversation without an owner gets one.
   */
  async handOutConversations(input: RoutingInput): Promise<void> {
    const until = performance.now() + batchMs
    for (let more = true; more && performance.now() < until; ) {
      if (cancellationSignal().aborted) throw new CancelledFailure('The batch is stopped.')
      heartbeat()
      crash('before-page')
      more = await handOutPage(db, input.operation, limits, clock.now())
      crash('after-page')
    }
  },

  /** Tells the new owners and answers the call. Safe to retry: both are one transaction, which ends the operation once. */
  async answerRouted(input: RoutingInput): Promise<void> {
    await endBatch(db, input.operation, clock.now())
  },
})
