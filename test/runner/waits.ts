import { createRequire, syncBuiltinESMExports } from 'node:module'

// What the tests of this process have waited for, so that the table of a run says where its time went.

const kinds = ['servers', 'workers', 'sleeps'] as const
export type Waits = Record<(typeof kinds)[number], number>

export const noWaits = (): Waits => ({ servers: 0, workers: 0, sleeps: 0 })
let waits = noWaits()

/** Counts how long `work` takes, in milliseconds, as a wait of its kind. */
export async function waited<T>(kind: keyof Waits, work: Promise<T>): Promise<T> {
  const from = performance.now()
  try {
    return await work
  } finally {
    waits[kind] += performance.now() - from
  }
}

/** What has been waited for since the last call, in whole milliseconds. */
export function takeWaits(): Waits {
  const taken = waits
  waits = noWaits()
  for (const kind of kinds) taken[kind] = Math.round(taken[kind])
  return taken
}

/** Shorter ones are steps of a loop that waits for something else. */
const shortestMs = 300

const ofTests = /\/test\/(?!support\/|runner\/\w+\.ts)[\w/.-]+\.ts:\d+/

/** From now on, sleeps of a fixed length that a test file begins are counted. */
export function countSleeps() {
  const timers = createRequire(import.meta.url)('node:timers/promises')
  const sleep = timers.setTimeout
  timers.setTimeout = (ms: number, ...more: unknown[]) => {
    note(ms)
    return sleep(ms, ...more)
  }
  syncBuiltinESMExports()
  const { setTimeout } = globalThis
  globalThis.setTimeout = Object.assign((callback: () => void, ms: number, ...more: []) => {
    note(ms)
    return setTimeout(callback, ms, ...more)
  }, setTimeout) as typeof globalThis.setTimeout
}

function note(ms: number) {
  if (!(ms >= shortestMs)) return
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 4
  const caller = new Error().stack ?? ''
  Error.stackTraceLimit = stackTraceLimit
  if (ofTests.test(caller)) waits.sleeps += ms
}
