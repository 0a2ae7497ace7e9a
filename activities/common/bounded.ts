import { type Line, leavePlace, openLine, takePlace } from '../../process/limits/line.ts'
import { trouble } from './failures.ts'

// Limits how much work for one tenant, account or server runs at once in this process. Work that finds no place fails at once
// and comes back by its retry. It holds no slot of the worker in the meantime, so whoever is slow leaves slots to the others.

type BoundLine = Line & {
  /** How long a place was held recently, and when one last became free. */
  heldMs: number
  freedAt: number
  /** When the last work that was turned away comes back. */
  turnAt: number
}
const lines = new Map<string, BoundLine>()

const waitMs = 2_000
// Work that was turned away comes back one by one, at the pace at which places become free.
const shortestTurnMs = 10
const longestTurnMs = 500
const longestDelayMs = 60_000
// Idle keys are kept, for how long their work took, up to this number.
const mostKept = 1_000

export type Bound = {
  /** How much runs at once. */
  most: number
  /** How much may wait up to two seconds for a place; by default as much as may run at once. */
  waiting?: number
  /** The same while places are held so briefly that all who wait get one in time. */
  waitingBriefly?: number
  /** The error that is thrown if there is no place. It must hold nothing private. */
  code?: string
  text?: string
}

/**
 * Runs `work` in one of the places of a key. `key` names what is counted, with the id of its owner.
 * @throws trouble if there is no place, with the time of the next try; nothing was begun then.
 */
export async function inFlightOf<T>(key: string, bound: Bound, work: () => Promise<T>): Promise<T> {
  const line = lineOf(key)
  const { most } = bound
  const waiting = mostWaiting(line, bound)
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

function mostWaiting({ heldMs }: BoundLine, { most, waiting = most, waitingBriefly = 0 }: Bound) {
  const isBrief = heldMs > 0 && (heldMs * waitingBriefly) / most < waitMs / 2
  return isBrief ? Math.max(waiting, waitingBriefly) : waiting
}

function lineOf(key: string): BoundLine {
  const now = performance.now()
  const line = lines.get(key) ?? { ...openLine(), heldMs: 0, freedAt: now, turnAt: 0 }
  if (line.inHand === 0) line.freedAt = now
  lines.set(key, line)
  return line
}

function sentAway(line: BoundLine, { most, code = 'busy', text }: Bound) {
  const sentence = text ?? 'The limit of parallel work is reached; the activity is retried.'
  const now = performance.now()
  const heldMs = Math.max(line.heldMs, now - line.freedAt)
  const turnMs = Math.min(longestTurnMs, Math.max(shortestTurnMs, heldMs / most))
  line.turnAt = Math.max(line.turnAt, now) + turnMs
  const delayMs = line.turnAt - now
  // Retries that would come later than this are spread out.
  const delay = delayMs < longestDelayMs ? delayMs : longestDelayMs * (0.5 + Math.random() / 2)
  return trouble(code, sentence, { nextRetryDelay: Math.ceil(delay) })
}
