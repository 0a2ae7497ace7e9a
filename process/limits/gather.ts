// Calls that come at the same time ask for the same kind of thing. What is asked for while a statement is carried out is
// gathered, and the next statement carries out all of it: many calls cost little more than one, and a call that is alone waits
// for nobody.

/** The most that one statement carries out. */
const most = 64
/**
 * How many statements of one lane are carried out at the same time. Two at a time would each carry out half as much, and cost nearly
 * as much as one with all of it.
 */
const mostRunning = 1
/** A statement that takes longer than this waits for something, and what is asked for meanwhile does not wait for it. */
const slowMs = 50
/** How many statements of one lane there are in all, each of which holds a connection. */
const mostInAll = 8

type Asked<A, R> = {
  ask: A
  resolve(result: R): void
  reject(error: unknown): void
}
/** `running` are those that are not slow. */
type Lane<A, R> = { running: number; all: number; waiting: Asked<A, R>[] }

type How = {
  /** How many of those that wait are carried out together. */
  take?(waiting: number): number
  /** Whether an error of several may be that of one of them: each is then carried out alone. */
  isOfOne?(error: unknown): boolean
}

/**
 * `load` carries out what was asked for in one lane, such as a workspace, and answers a result for each in the same order.
 */
export function gathered<D extends object, A, R>(
  load: (db: D, lane: string, asks: A[]) => Promise<R[]>,
  { take = (waiting) => Math.min(waiting, most), isOfOne = () => false }: How = {},
): (db: D, lane: string, ask: A) => Promise<R> {
  const databases = new WeakMap<D, Map<string, Lane<A, R>>>()

  return (db, name, ask) => {
    const lanes = databases.get(db) ?? new Map<string, Lane<A, R>>()
    databases.set(db, lanes)
    const lane = lanes.get(name) ?? { running: 0, all: 0, waiting: [] }
    lanes.set(name, lane)
    return new Promise<R>((resolve, reject) => {
      lane.waiting.push({ ask, resolve, reject })
      goOn()
    })

    function goOn() {
      while (lane.running < mostRunning && lane.all < mostInAll && lane.waiting.length > 0)
        void carryOut()
      if (lane.all === 0 && lane.waiting.length === 0) lanes.delete(name)
    }

    async function carryOut() {
      const asked = lane.waiting.splice(0, take(lane.waiting.length))
      lane.running++
      lane.all++
      let isSlow = false
      const timer = setTimeout(() => {
        isSlow = true
        lane.running--
        goOn()
      }, slowMs)
      await settle(asked)
      clearTimeout(timer)
      if (!isSlow) lane.running--
      lane.all--
      goOn()
    }

    async function settle(asked: Asked<A, R>[]) {
      try {
        const results = await load(
          db,
          name,
          asked.map((one) => one.ask),
        )
        for (const [i, { resolve }] of asked.entries()) resolve(results[i] as R)
      } catch (error) {
        if (asked.length > 1 && isOfOne(error)) await Promise.all(asked.map((one) => settle([one])))
        else for (const { reject } of asked) reject(error)
      }
    }
  }
}
