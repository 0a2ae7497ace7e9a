import { countsOf } from './counts.ts'
import { turnsOf } from './turns.ts'

// A limit on how much runs at once when all keys share the places: `size` in total, at most `mostOfKey` for one key. The keys that
// wait take turns. Where each key has its own places, line.ts is enough.

export type Places = {
  /** How many are waiting for a place. */
  readonly waiting: number
  waitingOf(key: string): number
  /** Resolves with a function that gives the place back. @throws the signal's reason if it is aborted while waiting. */
  take(key: string, signal?: AbortSignal): Promise<() => void>
}

export function openPlaces({ size, mostOfKey }: { size: number; mostOfKey: number }): Places {
  const turns = turnsOf<() => void>()
  const taken = countsOf()
  let inHand = 0

  function next() {
    while (inHand < size) {
      const start = turns.take((key) => taken.of(key) < mostOfKey)
      if (!start) return
      start()
    }
  }

  return {
    get waiting() {
      return turns.length
    },
    waitingOf: (key) => turns.lengthOf(key),
    take: (key, signal) =>
      new Promise((resolve, reject) => {
        const withdraw = () => {
          if (turns.remove(key, start)) reject(signal?.reason)
        }
        const leave = () => {
          inHand--
          taken.down(key)
          next()
        }
        const start = () => {
          signal?.removeEventListener('abort', withdraw)
          inHand++
          taken.up(key)
          resolve(leave)
        }
        signal?.addEventListener('abort', withdraw, { once: true })
        turns.add(key, start)
        next()
      }),
  }
}
