import { CancelledFailure, cancellationSignal, heartbeat } from '@temporalio/activity'
import { erasePage } from '../../db/erasure/erasures.ts'
import { operationProgress } from '../../db/operations/operations.ts'
import type { ErasureInput } from '../../workflows/inputs.ts'
import type { Deps } from '../deps.ts'

// How long one activity erases: the details that an operator reads are at most this old.
const sliceMs = 12_000

/** How many steps are done, how many there are, and whether it is all done; `waits` that a letter is being sent, or a file imported. */
export type ErasureStep = { ended: boolean; waits: boolean; done: number; total: number }

export const erasePersonActivities = ({ db, clock, crash }: Deps) => ({
  /**
   * Erases page by page for some seconds. Safe to retry: a page and the place after it are one transaction, and what is erased
   * already stays so.
   */
  async eraseWords({ operation }: ErasureInput): Promise<ErasureStep> {
    const until = performance.now() + sliceMs
    for (;;) {
      if (cancellationSignal().aborted) throw new CancelledFailure('The erasure was stopped.')
      heartbeat()
      crash('before-page')
      const { is, done, total } = await erasePage(db, operation, clock.now())
      crash('after-page')
      if (is === 'going' && performance.now() < until) continue
      await operationProgress(db, operation, done, total)
      return { ended: is === 'ended', waits: is === 'waiting', done, total }
    }
  },
})
