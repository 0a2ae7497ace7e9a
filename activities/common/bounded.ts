import { type Leave, openPlaces } from '../../process/limits/places.ts'
import { openRate, type Rate } from '../../process/limits/rate.ts'
import { trouble } from './failures.ts'

// Limits how much work runs at once in this process. Work that finds no place fails at once and comes back by its retry. It holds no
// slot of the worker in the meantime, so whoever is slow leaves slots to the others.

/** What is known of a key: how long its places were held recently, when one last became free, and who comes back next. */
type Past = { heldMs: number; freedAt: number; returns: Rate }

const waitMs = 2_000
// Work that was turned away comes back one by one, at the pace at which places become free.
const shortestTurnMs = 10
const longestTurnMs = 500
const longestDelayMs = 5 * 60_000
// The past of keys that have nothing in hand is kept up to this number.
const mostKept = 1_000

export type Bound = {
  /** Its name in the metric. */
  name: string
  /** How much runs at once: of each key, or of all, who then take turns. */
  ofKey?: number
  all?: number
  /** How much may wait up to two seconds for a place; by default as much as may run at once. */
  waiting?: number
  /** The same while places are held so briefly that all who wait get one in time. */
  waitingBriefly?: number
  /** The code of the error that is thrown if there is no place. */
  code?: string
}

/**
 * Runs `work` in one of the places of a key, which is the id of its owner.
 * @throws trouble if there is no place, with the time of the next try; nothing was begun then.
 */
export type Bounded = <T>(key: string, work: () => Promise<T>) => Promise<T>

export function bounded(bound: Bound): Bounded {
  const { name, ofKey, all, code = 'busy' } = bound
  const most = ofKey ?? all ?? Number.POSITIVE_INFINITY
  const { waiting = most, waitingBriefly = 0 } = bound
  const places = openPlaces({ name, all, ofKey })
  const pasts = new Map<string, Past>()
  // Where all share the places, they also share their past.
  const pastKey = (key: string) => (all === undefined ? key : '')
  const inHandOf = all === undefined ? places.inHandOf : places.inHand

  return async (key, work) => {
    const past = pastOf(key)
    const leave = await places.take(key, { patience: patienceOf(past) })
    if (!leave) throw sentAway(past)
    return hold(key, past, leave, work)
  }

  async function hold<T>(key: string, past: Past, leave: Leave, work: () => Promise<T>) {
    const began = performance.now()
    try {
      return await work()
    } finally {
      past.freedAt = performance.now()
      past.heldMs = (past.heldMs + past.freedAt - began) / 2
      const inHand = inHandOf(key)
      leave()
      // Nobody in this process waits for the place, so it is there for whoever comes back next.
      if (inHandOf(key) < inHand) past.returns.reset()
      if (inHandOf(key) === 0 && pasts.size > mostKept) pasts.delete(pastKey(key))
    }
  }

  function pastOf(key: string): Past {
    const now = performance.now()
    const past = pasts.get(pastKey(key)) ?? { heldMs: 0, freedAt: now, returns: openRate() }
    if (inHandOf(key) === 0) past.freedAt = now
    pasts.set(pastKey(key), past)
    return past
  }

  function patienceOf({ heldMs }: Past) {
    const isBrief = heldMs > 0 && (heldMs * waitingBriefly) / most < waitMs / 2
    const some = isBrief ? Math.max(waiting, waitingBriefly) : waiting
    return { ms: waitMs, ...(all === undefined ? { mostOfKey: some } : { most: some }) }
  }

  function sentAway({ heldMs, freedAt, returns }: Past) {
    const sentence = 'The limit of parallel work is reached; the activity is retried.'
    const longMs = Math.max(heldMs, performance.now() - freedAt)
    const turnMs = Math.min(longestTurnMs, Math.max(shortestTurnMs, longMs / most))
    const delayMs = returns.next(turnMs) + turnMs
    // Retries that would come later than this are spread out.
    const delay = delayMs < longestDelayMs ? delayMs : longestDelayMs * (0.5 + Math.random() / 2)
    return trouble(code, sentence, { nextRetryDelay: Math.ceil(delay) })
  }
}
