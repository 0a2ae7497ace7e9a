import { type Line, leavePlace, openLine, takePlace } from '../../aside/line.ts'
import { type About, trouble } from './trouble.ts'

// How much of one tenant, account or server is in hand at once in this process. What finds no place ends at once and comes
// back by its retry, holding no slot of the worker meanwhile: whoever does not answer, others have theirs.

type BoundLine = Line & {
  /** How long a place was held of late, and when one became free last. */
  heldMs: number
  freedAt: number
  /** When the last of those who were sent away comes back. */
  turnAt: number
}
const lines = new Map<string, BoundLine>()

const waitMs = 2_000
// Those who come back come one after the other, as fast as places become free.
const shortestTurnMs = 10
const longestTurnMs = 500
const longestDelayMs = 60_000
// What is idle is kept for how long it took, up to so many keys.
const mostKept = 1_000

export type Bound = {
  /** How many at once. */
  most: number
  /** How many may wait some seconds for a place; as many as may be at work, unless said otherwise. */
  waiting?: number
  /** What is thrown where there is no place. It must hold nothing private. */
  code?: string
  text?: string
  /** Those who find no place come back as the retry policy says, not in turn. */
  backsOff?: boolean
  /** What it is about, where it is thrown. */
  about?: About
}

/**
 * Works in one of the places of a key. `key` names what is counted, with the id of whom it belongs to.
 * @throws trouble when there is no place, with the time of another try; nothing was begun then.
 */
export async function inFlightOf<T>(key: string, bound: Bound, work: () => Promise<T>): Promise<T> {
  const line = lineOf(key)
  const { most, waiting = most } = bound
  const isFull = line.inHand >= most && line.waiting.size >= waiting
  if (isFull || !(await takePlace(line, most, waitMs))) throw sentAway(line, bound)
  const began = performance.now()
  try {
    return await work()
  } finally {
    line.freedAt = performance.now()
    line.heldMs = (line.heldMs + line.freedAt - began) / 2
    if (leavePlace(line)) line.turnAt = 0
    if (line.inHand === 0 && lines.size > mostKept) lines.delete(key)
  }
}

function lineOf(key: string): BoundLine {
  const now = performance.now()
  const line = lines.get(key) ?? { ...openLine(), heldMs: 0, freedAt: now, turnAt: 0 }
  if (line.inHand === 0) line.freedAt = now
  lines.set(key, line)
  return line
}

function sentAway(line: BoundLine, { most, code = 'busy', text, backsOff, about }: Bound) {
  const sentence = text ?? 'As much of this as may be at once is in hand; it is tried again.'
  if (backsOff) return trouble(code, sentence, about)
  const now = performance.now()
  const heldMs = Math.max(line.heldMs, now - line.freedAt)
  const turnMs = Math.min(longestTurnMs, Math.max(shortestTurnMs, heldMs / most))
  line.turnAt = Math.max(line.turnAt, now) + turnMs
  const delayMs = line.turnAt - now
  // Those who would come later still are spread.
  const delay = delayMs < longestDelayMs ? delayMs : longestDelayMs * (0.5 + Math.random() / 2)
  return trouble(code, sentence, { nextRetryDelay: Math.ceil(delay) })
}
