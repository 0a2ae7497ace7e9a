import { Context } from '@temporalio/activity'

const everyMs = 2000

/** The abort signal of the current activity; undefined if the function is called outside of one. */
export const cancelSignal = (): AbortSignal | undefined => contextInHand()?.cancellationSignal

/** How often the current activity has been tried, this time included. */
export const attemptInHand = (): number => contextInHand()?.info.attempt ?? 1

type Counts = Record<string, unknown>
const tellers = new WeakMap<Context, () => Counts>()
const ending = new WeakSet<Context>()

/** Says from now on with each heartbeat of the current activity how far it has come: counts, codes and ids alone. */
export function tellWith(counts: () => Counts) {
  const context = contextInHand()
  if (context) tellers.set(context, counts)
}

/** The current activity is about to end: what it leaves under way sends no heartbeats any more. */
export function stopBeating() {
  const context = contextInHand()
  if (context) ending.add(context)
}

/** Sends heartbeats during a long wait, so that the death of the worker is noticed within seconds. */
export async function beating<T>(work: () => Promise<T>): Promise<T> {
  const context = contextInHand()
  // A local activity has none: that its worker has died is noticed when the task of its workflow times out.
  if (context?.info.isLocal) return work()
  const beats = setInterval(() => {
    if (context && !ending.has(context)) context.heartbeat(tellers.get(context)?.())
  }, everyMs)
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
