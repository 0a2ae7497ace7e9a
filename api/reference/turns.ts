import { setImmediate } from 'node:timers/promises'

// Work that takes long is a generator, which yields after each piece of a few milliseconds.

/** Does it piece by piece, and lets the process answer others between two of them. */
export async function inTurns<T>(work: Generator<void, T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    await setImmediate()
  }
}

/** Does all of it at once. */
export function atOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
