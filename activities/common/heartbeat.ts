import { Context } from '@temporalio/activity'

const everyMs = 2000

/** The signal of the activity in hand; none where a function of activities is called by itself. */
export const cancelSignal = (): AbortSignal | undefined => contextInHand()?.cancellationSignal

/** Beats while something long is waited for, so that a worker's death over it is noticed within seconds. */
export async function beating<T>(work: () => Promise<T>): Promise<T> {
  const context = contextInHand()
  const beats = setInterval(() => context?.heartbeat(), everyMs)
  try {
    return await work()
  } finally {
    clearInterval(beats)
  }
}

function contextInHand() {
  try {
    return Context.current()
  } catch {
    return undefined
  }
}
