/** A rate at which things may begin, one after another. */
export type Rate = {
  /** In how many milliseconds the next one may begin, after which the rate is taken up for `ms`. */
  next(ms: number): number
  /** The next one may begin at once. */
  reset(): void
}

export function openRate(): Rate {
  let freeAt = 0
  return {
    next(ms) {
      const now = performance.now()
      const at = Math.max(now, freeAt)
      freeAt = at + ms
      return at - now
    },
    reset() {
      freeAt = 0
    },
  }
}
