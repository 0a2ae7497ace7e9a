import { turnsOf } from './turns.ts'

// A limit on the bytes in hand at once, for all keys together; the keys that wait take turns. A holder must give its
// bytes back before it takes any more, so there is always one that can finish.
// places.ts does not fit: holders take different amounts, and nobody may overtake the key whose turn it is.

type Waiting = { bytes: number; start: () => void }

export type Budget = {
  inHand(): number
  /**
   * Answers a function that gives the bytes back. A request for more than the whole budget is served alone. @throws
   * the signal's reason when it is aborted.
   */
  take(key: string, bytes: number, signal?: AbortSignal): Promise<() => void>
}

export function openBudget(most: number): Budget {
  const turns = turnsOf<Waiting>()
  let inHand = 0
  // The next in turn waits until there is room for it: otherwise small requests could pass a large one forever.
  let first: { key: string; waiting: Waiting } | undefined

  function next() {
    for (;;) {
      first ??= take()
      if (!first) return
      const { bytes, start } = first.waiting
      if (inHand > 0 && inHand + bytes > most) return
      first = undefined
      inHand += bytes
      start()
    }
  }

  function take() {
    let key = ''
    const waiting = turns.take((one) => {
      key = one
      return true
    })
    return waiting && { key, waiting }
  }

  return {
    inHand: () => inHand,
    take: (key, bytes, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted()
        const withdraw = () => {
          if (first?.waiting === waiting) first = undefined
          else turns.remove(key, waiting)
          reject(signal?.reason)
          next()
        }
        const start = () => {
          signal?.removeEventListener('abort', withdraw)
          let isHeld = true
          resolve(() => {
            if (!isHeld) return
            isHeld = false
            inHand -= bytes
            next()
          })
        }
        const waiting = { bytes, start }
        signal?.addEventListener('abort', withdraw, { once: true })
        turns.add(key, waiting)
        next()
      }),
  }
}
