// Every random decision of a run comes from its seed, so that a seed can be run again.

export type Random = ReturnType<typeof randomFrom>

/** mulberry32: 32 bits of state, good enough to spread faults. */
export function randomFrom(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    /** From 0 to 1, without 1. */
    fraction: next,
    /** From `from` to `to`, both included. */
    integer,
    chance: (probability: number) => next() < probability,
    pick: <T>(items: readonly [T, ...T[]]): T => items[integer(0, items.length - 1)] as T,
  }
}
