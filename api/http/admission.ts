import { countsOf } from '../../process/limits/counts.ts'
import { turnsOf } from '../../process/limits/turns.ts'
import { tooMuch } from './intake.ts'

// However many calls one caller sends at once, the process stays free for others: a few calls at a time proceed, taking turns
// between callers. Each API process does this by itself.

const atOnce = 4
const mostWaiting = 1_000

/**
 * Answers who is calling, when it is this call's turn; until then a caller is known by the Authorization header
 * alone.
 * @throws ApiError rate_limited when too many of the caller's calls wait; any error of the lookup.
 */
export async function admitted<T>(caller: string, lookUp: () => Promise<T>): Promise<T> {
  if (calls.of(caller) >= mostWaiting)
    throw tooMuch('rate_limited', 'Too many of your calls came at once.')
  calls.up(caller)
  try {
    return await lookUp()
  } finally {
    await myTurn(caller)
    calls.down(caller)
  }
}

const calls = countsOf()

// Unlike the places of process/limits/places.ts, these are not given back: each round of the event loop lets `atOnce` more calls
// proceed, however long they take.
const turns = turnsOf<() => void>()
let left = atOnce

function myTurn(caller: string): Promise<void> | undefined {
  if (left === atOnce) setImmediate(refill)
  if (left > 0) return void left--
  return new Promise((resolve) => turns.add(caller, resolve))
}

/** Lets a few more calls proceed once the event loop has gone around. */
function refill() {
  left = atOnce
  if (turns.length === 0) return
  setImmediate(refill)
  for (; left > 0 && turns.length > 0; left--) turns.take(() => true)?.()
}
