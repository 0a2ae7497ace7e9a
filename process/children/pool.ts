import { openPlaces } from '../limits/places.ts'
import { type Member, type MemberOptions, type Reason, startMember } from './member.ts'

// Content from strangers is parsed in children of this process, each with its own memory, little processor time and
// access to nothing: content that breaks a child harms nobody else. Children start when they are first needed and are
// kept for later jobs; a child that was idle for a while, or has done many jobs, is ended.

export type PoolOptions = Omit<MemberOptions, 'wallMs'> & {
  /** The name of the pool in the metrics. */
  name: string
  /** The most children at a time. One key gets all but one of them at most. */
  size: number
  /** The most jobs that wait at a time. */
  mostWaiting: number
  /** The most of them that are of one key; by default all. */
  mostWaitingOfKey?: number
  /** Wall-clock time per job: a bound for a job that neither computes nor ends. */
  wallMs?: number
  /** How often a job is tried if its child dies of anything but the time limit. */
  tries?: number
  /** How many jobs a child does in its life, which limits what an earlier job can have left behind for later ones. */
  jobsOfChild?: number
  /** How long a child is kept that has nothing to do. */
  idleMs?: number
}

export type Job = {
  /** The owner of the job: keys that wait take turns. */
  key: string
  kind: string
  input: unknown
  bytes?: Uint8Array
  /** Withdraws the job; `run` then throws the signal's reason. */
  signal?: AbortSignal | undefined
}

/**
 * The result of a job. `broke`: the input broke the child, or failed in it; it would do so again. `part`: which part of the job
 * exceeded a limit, if it has several.
 */
export type ChildOutcome<T> =
  | { broke: null; value: T }
  | { broke: Reason | 'failed'; part?: number }

export type Pool = {
  /** @throws AsideTrouble when the input is not at fault; the job may be tried again. */
  run<T>(job: Job): Promise<ChildOutcome<T>>
}

/** A job was not done, and its input is not the cause. aside_unavailable: no child starts. aside_busy: too many jobs wait. */
export class AsideTrouble extends Error {
  readonly code: 'aside_unavailable' | 'aside_busy'
  constructor(code: AsideTrouble['code']) {
    super(code)
    this.code = code
  }
}

type Listener = (pool: string, reason: Reason) => void
const listeners = new Set<Listener>()
/** Calls the listener for each child that was ended during a job, or died of it. Answers a function that stops this. */
export function onChildEnded(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

// Something else may kill a child: the kernel does where memory is short.
const triesOfJob = 2
const triesToStart = 3

type Seat = { member: Member; jobs: number; idle?: NodeJS.Timeout }

export function openPool(options: PoolOptions): Pool {
  const { name, size, mostWaiting, limits, wallMs = limits.cpuMs * 60 } = options
  const { tries: mostTries = triesOfJob, mostWaitingOfKey = mostWaiting } = options
  const { jobsOfChild = 200, idleMs = 60_000 } = options
  const idle: Seat[] = []
  const patience = { most: mostWaiting, mostOfKey: mostWaitingOfKey }
  const places = openPlaces({
    name: `children_${name}`,
    all: size,
    ofKey: Math.max(1, size - 1),
  })

  return {
    async run<T>(job: Job) {
      const { key, signal } = job
      const leave = await places.take(key, { signal, patience })
      if (!leave) throw new AsideTrouble('aside_busy')
      try {
        return await attempt<T>(job)
      } finally {
        leave()
      }
    },
  }

  async function attempt<T>(job: Job): Promise<ChildOutcome<T>> {
    let tries = 0
    let starts = 0
    for (;;) {
      const seat = (tries === 0 && idle.pop()) || seatOf()
      clearTimeout(seat.idle)
      const ended = await work<T>(seat, job)
      if (!('ended' in ended)) return ended
      job.signal?.throwIfAborted()
      // A child that died while idle is not counted as broken.
      if (ended.ended === 'unstarted' || ended.ended === 'dismissed') {
        if (++starts === triesToStart) throw new AsideTrouble('aside_unavailable')
        continue
      }
      for (const listener of listeners) listener(name, ended.ended)
      const { ended: broke, part } = ended
      if (++tries === mostTries || broke === 'time') return { broke, ...(part && { part }) }
    }
  }

  async function work<T>(seat: Seat, { kind, input, bytes, signal }: Job) {
    const stop = () => seat.member.dismiss('now')
    signal?.addEventListener('abort', stop, { once: true })
    const answer = await seat.member.work({ kind, input }, bytes)
    signal?.removeEventListener('abort', stop)
    if ('ended' in answer) return answer
    if (signal?.aborted) signal.throwIfAborted()
    seat.jobs++
    const large = 'rss' in answer && answer.rss > (limits.rssMb / 2) * 1024 * 1024
    if (seat.jobs >= jobsOfChild || large) seat.member.dismiss('gently')
    else rest(seat)
    if ('failed' in answer) return { broke: 'failed' } as const
    return { broke: null, value: answer.value as T } as const
  }

  function seatOf(): Seat {
    return { member: startMember({ ...options, wallMs }), jobs: 0 }
  }

  function rest(seat: Seat) {
    idle.push(seat)
    seat.idle = setTimeout(() => {
      idle.splice(idle.indexOf(seat), 1)
      seat.member.dismiss('gently')
    }, idleMs)
    seat.idle.unref()
  }
}
