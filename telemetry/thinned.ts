// What goes wrong again and again is told when it begins, and then now and then: a log that says the same every few seconds hides
// everything else, and fills the disk.

const tellEveryMs = 10 * 60_000
const mostKept = 1_000

type Trouble = { since: Date; times: number; lastAt: number; toldAt: number }

/** Whether a trouble is told this time, with how often it came since when. */
export type Thinning = (what: string) => { since: Date; times: number } | undefined

/**
 * Thins what is told of troubles. What is told apart by its name, such as a sentence with a code and an id, begins anew: so is
 * another cause. One that has not come for ten minutes is over.
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
    // The newest stand last, so that what has not come for longest is forgotten first.
    troubles.delete(what)
    troubles.set(what, trouble)
    if (troubles.size > mostKept) troubles.delete(troubles.keys().next().value as string)
    trouble.times++
    trouble.lastAt = now
    if (now - trouble.toldAt < everyMs) return undefined
    trouble.toldAt = now
    return { since: trouble.since, times: trouble.times }
  }
}
