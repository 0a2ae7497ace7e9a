import { countsOf } from './counts.ts'
import { turnsOf } from './turns.ts'

// Places that all keys share: `size` in all, `mostOfKey` of one key. Whoever leaves makes room for the next, one of each key after
// another. Where each key has places of its own and none are shared, a line (line.ts) is enough.

export type Places = {
  /** How many wait for a place. */
  readonly waiting: number
  /** Answers how to leave the place. @throws the signal's reason when it is aborted before there is one. */
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
