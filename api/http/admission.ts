import { openPlaces } from '../../process/limits/places.ts'
import { tooMuch } from './intake.ts'

// However many calls one caller sends at once, the process stays free for others: a few calls at a time proceed, taking turns
// between callers. Each API process does this by itself.

const calls = openPlaces({ name: 'calls', ofKey: 1_000 })
const turns = openPlaces({ name: 'call_turns', all: 4 })

/**
 * Answers who is calling, when it is this call's turn; until then a caller is known by the Authorization header
 * alone.
 * @throws ApiError rate_limited when too many of the caller's calls wait; any error of the lookup.
 */
export async function admitted<T>(caller: string, lookUp: () => Promise<T>): Promise<T> {
  const leave = calls.takeFree(caller)
  if (!leave) throw tooMuch('rate_limited', 'Too many of your calls came at once.')
  try {
    return await lookUp()
  } finally {
    // Whatever the call does afterwards, the next one proceeds once the event loop has gone around.
    setImmediate(await turns.take(caller))
    leave()
  }
}
