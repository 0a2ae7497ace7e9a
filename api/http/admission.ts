import { countsOf } from '../../aside/counts.ts'
import { turnsOf } from '../../aside/turns.ts'
import { tooMuch } from './intake.ts'

// A burst of calls of one caller, however large, leaves the process free for others: who calls is looked up once for all who wait
// to know it, and then a few calls go on at a time, those of one caller after those of another. Kept by each api process on its own.

const atOnce = 4
const mostWaiting = 1_000

/**
 * Answers who calls when it is the turn of this call; a caller is known by the Authorization header alone until then.
 * @throws ApiError rate_limited when too many calls of theirs wait; whatever the look-up throws.
 */
export async function admitted<T>(caller: string, lookUp: () => Promise<T>): Promise<T> {
  if (calls.of(caller) >= mostWaiting)
    throw tooMuch('rate_limited', 'Too many of your calls have come at once.')
  calls.up(caller)
  try {
    return await lookedUp(caller, lookUp)
  } finally {
    await myTurn(caller)
    calls.down(caller)
  }
}

const calls = countsOf()

type LookUp = { running: Promise<unknown>; next?: Promise<unknown> }
const lookUps = new Map<string, LookUp>()

/** The result of a look-up that begins no earlier than the call came: a token that was revoked before it is refused. */
function lookedUp<T>(caller: string, lookUp: () => Promise<T>): Promise<T> {
  const known = lookUps.get(caller)
  if (known) {
    known.next ??= known.running.then(begin, begin)
    return known.next as Promise<T>
  }
  return begin()

  function begin(): Promise<T> {
    const running = lookUp()
    const entry: LookUp = { running }
    lookUps.set(caller, entry)
    const over = () => {
      if (lookUps.get(caller) === entry && !entry.next) lookUps.delete(caller)
    }
    running.then(over, over)
    return running
  }
}

// These are no places that are given back (aside/places.ts): `atOnce` calls may go on in each round of the event loop, however
// long they take.
const turns = turnsOf<() => void>()
let left = atOnce

function myTurn(caller: string): Promise<void> | undefined {
  if (left === atOnce) setImmediate(refill)
  if (left > 0) return void left--
  return new Promise((resolve) => turns.add(caller, resolve))
}

/** Once the event loop has been round a few others may go on. */
function refill() {
  left = atOnce
  if (turns.length === 0) return
  setImmediate(refill)
  for (; left > 0 && turns.length > 0; left--) turns.take(() => true)?.()
}
