import { turnsOf } from './turns.ts'

// So many bytes may be in hand at once, of all keys together, and each key that waits has its turn. Whoever takes some takes no
// more before these are given back: so there is always somebody who goes on.

type Waiting = { bytes: number; start: () => void }

export type Budget = {
  inHand(): number
  /** Answers how to give them back. More than there is in all is taken alone. @throws the signal's reason when it is aborted. */
  take(key: string, bytes: number, signal?: AbortSignal): Promise<() => void>
}

export function openBudget(most: number): Budget {
  const turns = turnsOf<Waiting>()
  let inHand = 0
  // Whose turn it is waits until there is room: what takes little does not pass by what takes much for ever.
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
