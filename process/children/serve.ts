import { Worker } from 'node:worker_threads'
import { frameOf, frameReader } from './frames.ts'
import type { Limits } from './watch.ts'

// The child's side of a pool (pool.ts): one job after another, each watched by a separate thread.

/**
 * The kinds of job, by name. A job that has several parts may say which of them it has reached, from 0: if the job is ended by its
 * limits, its outcome says. An error is answered by its name alone: its message may hold a stranger's words.
 */
export type Work = Record<
  string,
  (input: never, bytes: Buffer, reached: (part: number) => void) => unknown
>

export type Request = { kind: string; input: unknown }
export type Answer = { ready: true } | { value: unknown; rss: number } | { failed: string }

/** Serves jobs until the parent is gone. To be called once, by the module that the child was started with. */
export function serve(work: Work): void {
  silence()
  // The parent handles a signal to the whole group: it ends its children when it no longer needs them.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  const limits = JSON.parse(process.argv[2] ?? '{}') as Limits
  const parent = Number(process.argv[3])
  // 0 while idle, otherwise the number of the job; and the part of it that was reached.
  const state = new Int32Array(new SharedArrayBuffer(8))
  const reached = (part: number) => void Atomics.store(state, 1, part)
  const watch = new Worker(new URL('./watch.ts', import.meta.url), {
    workerData: { state, limits, parent },
  })
  let jobs = 0

  const answer = (said: Answer) => {
    for (const piece of frameOf(said)) process.stdout.write(piece)
  }
  const run = async ({ kind, input }: Request, bytes: Buffer) => {
    reached(0)
    Atomics.store(state, 0, ++jobs)
    Atomics.notify(state, 0)
    const said = await done(() => work[kind]?.(input as never, bytes, reached))
    answer(said)
    Atomics.store(state, 0, 0)
    Atomics.notify(state, 0)
  }
  // Without its watch it must not work, and without its parent it has nothing to do.
  watch.once('exit', () => process.exit(1))
  process.stdin.once('end', () => process.exit(0))
  for (const stream of [process.stdin, process.stdout]) stream.on('error', () => process.exit(0))
  watch.once('online', () => {
    answer({ ready: true })
    process.stdin.on(
      'data',
      frameReader(({ said, bytes }) => void run(said as Request, bytes)),
    )
  })
}

async function done(work: () => unknown) {
  try {
    const value = await work()
    return { value, rss: process.memoryUsage.rss() }
  } catch (error) {
    return { failed: error instanceof Error ? error.name : 'error' }
  }
}

/** Libraries print what they were given, which is what strangers wrote. */
function silence() {
  const nothing = () => {}
  for (const name of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const)
    console[name] = nothing
}
