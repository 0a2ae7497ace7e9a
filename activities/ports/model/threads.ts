import { Worker } from 'node:worker_threads'
import { openPlaces } from '../../../process/limits/places.ts'
import { trouble } from '../../common/failures.ts'
import type { JobName, Jobs } from './thread.ts'

// A tenant's words are processed in threads, so that the worker keeps sending heartbeats and answering others whatever those
// words are. A job has a deadline and a memory limit. If it exceeds them, its thread is ended, and another one takes its place.

/** For whom a question is asked. One job of a workspace runs at a time, and workspaces take turns. */
export type Asker = { workspace: string; signal?: AbortSignal | undefined }

/** `timed_out`: the job was ended at its deadline. `failed`: the job broke its thread. */
export type Done<T> = { kind: 'done'; answer: T } | { kind: 'timed_out' | 'failed' }

export type Threads = ReturnType<typeof startThreads>

// Any job is late when the machine hangs for a moment; a job that is late three times takes too long.
const mostTries = 3
const startMs = 30_000

type Said =
  | { kind: 'said'; value: unknown }
  | { kind: 'timed_out' | 'failed' | 'cancelled' | 'unstarted' }

export function startThreads({
  /** The thread's code: it sends a message once it is ready, and `{ answer }` to each message that it receives. */
  entry = new URL('./thread.ts', import.meta.url),
  size = 2,
  deadlineMs = 5_000,
  memoryMb = 128,
} = {}) {
  const places = openPlaces({ name: 'model_threads', all: size, ofKey: 1 })
  const threads = new Set<Worker>()
  const idle: Worker[] = []

  return {
    /**
     * The result of a job. A job that does not finish is tried three times in all.
     * @throws the signal's reason once it is aborted; trouble model_unavailable if no thread can be started, which is not the
     * job's fault.
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
          throw trouble('model_unavailable', 'No thread can be started; the activity is retried.')
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

  /** An idle thread or a new one; undefined if none can be started. */
  async function freeThread(): Promise<Worker | undefined> {
    const known = idle.pop()
    if (known) return known
    const thread = new Worker(entry, {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    })
    threads.add(thread)
    // A thread does not keep the process alive; the caller that waits for its answer does. The caller also listens for its
    // errors.
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

/** The next message of a thread, or why there is none. */
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
