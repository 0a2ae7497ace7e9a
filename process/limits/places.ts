import { showLimit } from './metric.ts'

// Limits how much is in hand at once: of all keys together, of each key, or both. A key is whoever owns the work, such as a workspace
// or an account. The keys that wait take turns, so the backlog of one never delays the others, and within a key whoever came first
// is first.

export type Limits = {
  /** Its name in the metric. */
  name: string
  /** How much is in hand at once, of all keys together. */
  all?: number
  /** How much of it may be of one key. */
  ofKey?: number | ((key: string) => number)
}

/** How long to wait, and behind how many. */
export type Patience = {
  ms?: number
  /**
   * How many may wait, of all keys together. If so many do, the last of the key with the most is refused instead of the newcomer,
   * provided that this key has at least two more than the newcomer's.
   */
  most?: number
  /** How many of its key may wait. */
  mostOfKey?: number
}

export type Asking = {
  /** How much of the limits it takes, such as bytes. What is more than a limit has its place once nothing else is in hand. */
  weight?: number
  signal?: AbortSignal | undefined
}

/** Gives a place back; only the first call does. */
export type Leave = () => void

export type Places = {
  /** How much is in hand, as the sum of the weights. */
  inHand(): number
  inHandOf(key: string): number
  /** How many wait for a place. */
  waiting(): number
  waitingOf(key: string): number
  /** A place, if one is free and nobody waits who comes before. */
  takeFree(key: string, weight?: number): Leave | undefined
  /**
   * A place, once it is there; undefined if patience ends before.
   * @throws the signal's reason if it is aborted before.
   */
  take(key: string, asking: Asking & { patience: Patience }): Promise<Leave | undefined>
  take(key: string, asking?: Asking): Promise<Leave>
  /** Looks at the key again, whose limit may have changed. */
  look(key: string): void
}

type Waiter = { weight: number; start(leave: Leave): void; refuse(): void }

export function openPlaces({ name, all = Infinity, ofKey = Infinity }: Limits): Places {
  const mostOf = typeof ofKey === 'number' ? () => ofKey : ofKey
  const taken = new Map<string, number>()
  // Those that wait, by their keys. The key whose turn it is comes first.
  const queues = new Map<string, Waiter[]>()
  let inHand = 0
  let waiting = 0

  const inHandOf = (key: string) => taken.get(key) ?? 0
  const waitingOf = (key: string) => queues.get(key)?.length ?? 0
  const fits = (weight: number, among: number, most: number) =>
    among === 0 || among + weight <= most

  /** Gives free places to those that wait, one of each key after the other. */
  function serve() {
    // A key that is put back at the end is met again in the same loop.
    for (const [key, queue] of queues) {
      const [first] = queue
      if (!first || !fits(first.weight, inHandOf(key), mostOf(key))) continue
      // The next in turn waits for room: if others went ahead, a heavy one could wait forever.
      if (!fits(first.weight, inHand, all)) return
      start(key, first)
    }
  }

  /** The same where keys have nothing to do with each other. */
  function serveOne(key: string) {
    const queue = queues.get(key) ?? []
    for (let [first] = queue; first; [first] = queue) {
      if (!fits(first.weight, inHandOf(key), mostOf(key))) return
      start(key, first)
    }
  }

  const look = all === Infinity ? serveOne : serve

  function start(key: string, waiter: Waiter) {
    const { weight } = waiter
    const queue = remove(key, waiter)
    // It is the turn of the other keys now.
    if (queue && queues.delete(key)) queues.set(key, queue)
    hold(key, weight)
    let isHeld = true
    waiter.start(() => {
      if (!isHeld) return
      isHeld = false
      hold(key, -weight)
      look(key)
    })
  }

  function hold(key: string, weight: number) {
    inHand += weight
    const sum = inHandOf(key) + weight
    if (sum > 0) taken.set(key, sum)
    else taken.delete(key)
  }

  function add(key: string, waiter: Waiter) {
    const queue = queues.get(key) ?? []
    queues.set(key, queue)
    queue.push(waiter)
    waiting++
    look(key)
  }

  /** Answers those of the key that still wait. */
  function remove(key: string, waiter: Waiter): Waiter[] | undefined {
    const queue = queues.get(key) ?? []
    const at = queue.indexOf(waiter)
    if (at >= 0) waiting -= queue.splice(at, 1).length
    if (queue.length === 0) queues.delete(key)
    return queues.get(key)
  }

  function takeFree(key: string, weight = 1): Leave | undefined {
    let place: Leave | undefined
    const start = (leave: Leave) => {
      place = leave
    }
    const waiter = { weight, start, refuse() {} }
    add(key, waiter)
    if (!place) remove(key, waiter)
    return place
  }

  /** Whether one more of the key may wait. */
  function hasRoom(key: string, { most = Infinity, mostOfKey = Infinity }: Patience): boolean {
    const own = waitingOf(key)
    if (own >= mostOfKey) return false
    if (waiting < most) return true
    const [longest] = [...queues.values()].sort((one, other) => other.length - one.length)
    if (!longest || longest.length < own + 2) return false
    longest.at(-1)?.refuse()
    return true
  }

  function take(
    key: string,
    { weight = 1, signal, patience }: Asking & { patience?: Patience } = {},
  ): Promise<Leave | undefined> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const free = takeFree(key, weight)
      if (free || (patience && !hasRoom(key, patience))) return resolve(free)
      let timer: NodeJS.Timeout | undefined
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      }
      const withdraw = () => {
        end()
        remove(key, waiter)
        look(key)
      }
      const abort = () => {
        reject(signal?.reason)
        withdraw()
      }
      const waiter: Waiter = {
        weight,
        start(leave) {
          end()
          resolve(leave)
        },
        refuse() {
          resolve(undefined)
          withdraw()
        },
      }
      signal?.addEventListener('abort', abort, { once: true })
      if (patience?.ms !== undefined) timer = setTimeout(waiter.refuse, patience.ms)
      add(key, waiter)
    })
  }

  const places = {
    ...{ inHandOf, waitingOf, takeFree, look },
    inHand: () => inHand,
    waiting: () => waiting,
    take: take as Places['take'],
  }
  showLimit(name, places)
  return places
}
