import { tooMuch } from './intake.ts'

// Who calls is looked up for a few calls of one caller at a time: a burst of theirs, however large, leaves the process free for
// others between one and the next. Kept by each api process on its own.

const atOnce = 4
const mostWaiting = 1_000

type Line = { inHand: number; waiting: (() => void)[] }
const lines = new Map<string, Line>()

/**
 * Does the work when it is the turn of this call among those of its caller, who is known by the Authorization header alone.
 * @throws ApiError rate_limited when too many calls of theirs wait.
 */
export async function admitted<T>(caller: string, work: () => Promise<T>): Promise<T> {
  const line = lines.get(caller) ?? { inHand: 0, waiting: [] }
  lines.set(caller, line)
  if (line.inHand < atOnce) line.inHand++
  else if (line.waiting.length >= mostWaiting)
    throw tooMuch('rate_limited', 'Too many of your calls have come at once.')
  else await new Promise<void>((resolve) => line.waiting.push(resolve))
  try {
    return await work()
  } finally {
    const next = line.waiting.shift()
    if (next) next()
    else if (--line.inHand === 0) lines.delete(caller)
  }
}
