// A trouble that repeats is logged when it begins and then only now and then: a log that repeats a line every few
// seconds hides everything else and fills the disk.

import { setNewest } from '../../rules/newest.ts'

const tellEveryMs = 10 * 60_000
const mostKept = 1_000

type Trouble = { since: Date; times: number; lastAt: number; toldAt: number }

/** Whether to log a trouble this time, with its count and the time since which it is counted. */
export type Thinning = (what: string) => { since: Date; times: number } | undefined

/**
 * Thins out the log lines about repeating troubles. Each name is counted by itself, such as a sentence with a code
 * and an id; a new cause under the same name starts a new count. A trouble that has not occurred for ten minutes is
 * over.
 */
export function openThinning(everyMs = tellEveryMs): Thinning {
  const troubles = new Map<string, Trouble>()
  return (what) => {
    const now = performance.now()
    const known = troubles.get(what)
    const trouble =
      known && now - known.lastAt < everyMs
        ? known
        : { since: new Date(), times: 0, lastAt: now, toldAt: Number.NEGATIVE_INFINITY }
    setNewest(troubles, what, trouble, mostKept)
    trouble.times++
    trouble.lastAt = now
    if (now - trouble.toldAt < everyMs) return undefined
    trouble.toldAt = now
    return { since: trouble.since, times: trouble.times }
  }
}
