import { Worker } from 'node:worker_threads'
import { openPlaces } from '../../../aside/places.ts'
import { trouble } from '../../common/trouble.ts'
import type { JobName, Jobs } from './thread.ts'

// The words of a tenant are worked on in threads, so that a worker goes on beating and answering others whatever they are. A
// job has a deadline and a limit of memory; what exceeds them is ended with its thread, and another thread takes its place.

/** For whom a question is asked: one job of a workspace runs at a time, and workspaces take turns. */
export type Asker = { workspace: string; signal?: AbortSignal | undefined }

/** `timed_out` is a job that was ended at its deadline, `failed` one that broke its thread. */
export type Done<T> = { kind: 'done'; answer: T } | { kind: 'timed_out' | 'failed' }

export type Threads = ReturnType<typeof startThreads>

// A machine that stands still for a moment makes any job late; one that is late three times is too long.
const mostTries = 3
const startMs = 30_000

type Said =
  | { kind: 'said'; value: unknown }
  | { kind: 'timed_out' | 'failed' | 'cancelled' | 'unstarted' }

export function startThreads({
  /** What a thread runs: it says something once it is ready, and `{ answer }` to each message. */
  entry = new URL('./thread.ts', import.meta.url),
  size = 2,
  deadlineMs = 5_000,
  memoryMb = 128,
} = {}) {
  const places = openPlaces({ size, mostOfKey: 1 })
  const threads = new Set<Worker>()
  const idle: Worker[] = []

  return {
    /**
     * What a thread made of a job. One that does not come to its end is tried three times in all.
     * @throws the signal's reason once it is aborted; trouble model_unavailable where no thread can be started, which is no
     * fault of the job.
     */
    async run<N extends JobName>(
      { workspace, signal }: Asker,
      name: N,
      given: Jobs[N]['given'],
    ): Promise<Done<Jobs[N]['answer']>> {
      for (let tries = 1; ; tries++) {
        const said = await inTurn(workspace, { name, given }, signal)
        if (said.kind === 'cancelled') throw signal?.reason
        if (said.kind === 'unstarted')
          throw trouble('model_unavailable', 'No thread can be started; it is tried again.')
        if (said.kind === 'said')
          return { kind: 'done', ...(said.value as { answer: Jobs[N]['answer'] }) }
        if (tries === mostTries) return { kind: said.kind }
      }
    },
    async close() {
      await Promise.all([...threads].map((thread) => thread.terminate()))
    },
  }

  async function inTurn(workspace: string, message: unknown, signal: AbortSignal | undefined) {
    const leave = await places.take(workspace)
    try {
      return await carryOut(message, signal)
    } catch {
      return { kind: 'failed' } as const
    } finally {
      leave()
    }
  }

  async function carryOut(message: unknown, signal: AbortSignal | undefined): Promise<Said> {
    if (signal?.aborted) return { kind: 'cancelled' }
    const thread = await freeThread()
    if (!thread) return { kind: 'unstarted' }
    thread.postMessage(message)
    const said = await heard(thread, deadlineMs, signal)
    if (said.kind === 'said') idle.push(thread)
    else await thread.terminate()
    return said
  }

  /** One that waits for work, or another; undefined where it cannot be started. */
  async function freeThread(): Promise<Worker | undefined> {
    const known = idle.pop()
    if (known) return known
    const thread = new Worker(entry, {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    })
    threads.add(thread)
    // It keeps no process alive; whoever waits for its answer does. What breaks it is told to who listens then.
    thread.unref()
    thread.on('error', () => {})
    thread.on('exit', () => {
      threads.delete(thread)
      const at = idle.indexOf(thread)
      if (at >= 0) idle.splice(at, 1)
    })
    const ready = await heard(thread, startMs, undefined)
    if (ready.kind === 'said') return thread
    await thread.terminate()
    return undefined
  }
}

/** The next that a thread says, or why it says nothing. */
function heard(thread: Worker, ms: number, signal: AbortSignal | undefined): Promise<Said> {
  return new Promise((resolve) => {
    const end = (said: Said) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancelled)
      thread.off('message', message).off('error', failed).off('exit', failed)
      resolve(said)
    }
    const message = (value: unknown) => end({ kind: 'said', value })
    const failed = () => end({ kind: 'failed' })
    const cancelled = () => end({ kind: 'cancelled' })
    const timer = setTimeout(() => end({ kind: 'timed_out' }), ms)
    signal?.addEventListener('abort', cancelled)
    thread.on('message', message).on('error', failed).on('exit', failed)
  })
}
