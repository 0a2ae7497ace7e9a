import { spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import type { Socket } from 'node:net'
import { constants, setPriority } from 'node:os'
import { join, resolve } from 'node:path'
import { frameOf, frameReader } from './frames.ts'
import type { Answer, Request } from './serve.ts'
import type { Limits } from './watch.ts'

// One child of a pool, from start to end.

/**
 * Why a child ended during a job. time, memory: it exceeded a limit. stalled: no answer, although it computed little.
 * size: its answer was too large. crash: it crashed, or something else killed it.
 */
export type Reason = 'time' | 'memory' | 'stalled' | 'size' | 'crash'
export type Ended = {
  ended: Reason | 'unstarted' | 'dismissed'
  /** The part of its job that the child had reached when it exceeded a limit. */
  part?: number
}

export type MemberOptions = {
  /** The module that the child runs. */
  module: string
  limits: Limits
  heapMb: number
  /** As of `node:os`; by default low, so that it gives way to the work that people wait for. */
  priority?: number
  /** Wall-clock time per job. */
  wallMs: number
}

export type Member = {
  /** Does one job at a time; never rejects. */
  work(
    request: Request,
    bytes: Uint8Array | undefined,
  ): Promise<Exclude<Answer, { ready: true }> | Ended>
  /** Lets the child end when its work is done, or ends it at once. */
  dismiss(how: 'gently' | 'now'): void
}

// The folder of the application. Its packages may be a link to another place, and are read where they are.
const folder = resolve(import.meta.dirname, '../..')
const readable = new Set([folder, realpathSync(join(folder, 'node_modules'))])

/**
 * It may read its own code and nothing else, not even what stands in /proc of its parent, whose environment has our secrets. It may
 * neither write files nor start programs. The network is not among what Node 24 can refuse; from Node 25 on, `--permission` refuses it
 * too, because nothing here allows it.
 */
const rights = [
  '--permission',
  ...[...readable].map((path) => `--allow-fs-read=${path}`),
  '--allow-worker',
]

export function startMember(options: MemberOptions): Member {
  const { module, limits, heapMb, wallMs, priority = constants.priority.PRIORITY_LOW } = options
  const child = spawn(
    process.execPath,
    [
      ...rights,
      `--max-old-space-size=${heapMb}`,
      module,
      JSON.stringify(limits),
      String(process.pid),
    ],
    // The child gets none of our secrets, and its stderr is dropped: libraries print there what strangers wrote. A time that
    // names no zone must not depend on this machine's.
    { env: { TZ: 'UTC' }, stdio: ['pipe', 'pipe', 'ignore', 'pipe'] },
  )
  giveWay(child.pid, priority)
  // All four are pipes, which Node opens as sockets.
  const [stdin, stdout, , reasons] = child.stdio as unknown as [Socket, Socket, null, Socket]
  const pipes = [stdin, stdout, reasons]
  let said = ''
  let why: Ended['ended'] | undefined
  let ready = false
  let over: Ended | undefined
  let take: ((answer: Exclude<Answer, { ready: true }> | Ended) => void) | undefined

  const kill = (reason: Ended['ended']) => {
    why ??= reason
    child.kill('SIGKILL')
  }
  const settle = (answer: Exclude<Answer, { ready: true }> | Ended) => {
    const waiting = take
    take = undefined
    waiting?.(answer)
  }
  const end = () => {
    const { reason, part } = toldIn(said)
    const ended = why ?? reason ?? 'crash'
    over ??=
      ready || ended === 'dismissed' ? { ended, ...(part && { part }) } : { ended: 'unstarted' }
    settle(over)
  }
  const read = frameReader(({ said }) => {
    const answer = said as Answer
    if ('ready' in answer) ready = true
    else settle(answer)
  })
  stdout.on('data', (chunk: Buffer) => {
    try {
      read(chunk)
    } catch {
      kill('size')
    }
  })
  reasons.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('latin1')).slice(0, 20)
  })
  // When a child ends, its `close` event says so.
  for (const pipe of pipes) pipe.on('error', () => {})
  child.on('error', end)
  child.on('close', (_code, signal) => {
    // V8 aborts when its heap is full.
    if (signal === 'SIGABRT' || signal === 'SIGTRAP') why ??= 'memory'
    end()
  })
  const keepAlive = (alive: boolean) => {
    for (const handle of [child, ...pipes]) alive ? handle.ref() : handle.unref()
  }
  keepAlive(false)

  return {
    async work(request, bytes) {
      if (over) return { ended: 'unstarted' }
      const timer = setTimeout(() => kill('stalled'), wallMs)
      keepAlive(true)
      try {
        return await new Promise((resolve) => {
          take = resolve
          for (const piece of frameOf(request, bytes)) stdin.write(piece)
        })
      } finally {
        clearTimeout(timer)
        keepAlive(false)
      }
    },
    dismiss(how) {
      if (how === 'now') kill('dismissed')
      else stdin.end()
    },
  }
}

function toldIn(said: string): { reason?: Reason; part?: number } {
  const [, reason, part] = /^(time|memory) (\d+)$/.exec(said) ?? []
  return reason ? { reason: reason as Reason, part: Number(part) } : {}
}

/**
 * Gives the child another priority than ours. Threads inherit it when they start, so the parent sets it before the child
 * has any: if the child did it itself, its garbage collector would keep the higher one.
 */
function giveWay(pid: number | undefined, priority: number) {
  try {
    if (pid !== undefined) setPriority(pid, priority)
  } catch {
    // The child has ended, or this machine does not allow it.
  }
}
