import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../operator/progress.ts'
import type { LogFile } from './logs.ts'
import { end, ended, isAlive, reap } from './processes.ts'

// A child that dies is restarted: at once the first time, more slowly if it keeps dying.
const firstDelayMs = 200
const longestDelayMs = 5_000
const settledMs = 30_000
// After so many deaths the terminal says that the child keeps dying; from then on only the log does.
const mostSaid = 3

type Command = {
  command: string
  args: string[]
  env?: NodeJS.ProcessEnv
  cwd?: string
  uid?: number | undefined
  gid?: number | undefined
}

type ChildOptions = {
  name: string
  /** Called before every start, also after a death: the place to clean up what the dead child left. */
  prepare: () => Promise<Command>
  /** Resolves when the child serves; a child that dies before that is restarted as well. */
  ready?: (signal: AbortSignal) => Promise<void>
  stopSignal?: NodeJS.Signals
  graceMs?: number
  log: LogFile
  say: Log
  onPid?: (pid: number) => void
  /** Called at each death that `stop` did not cause. */
  onDeath?: () => void
}

const listeners: ((name: string) => void)[] = []

/** Calls back with the name of every child that died and runs again. */
export const whenRestarted = (listener: (name: string) => void) => void listeners.push(listener)

export type Child = {
  name: string
  pid: () => number | undefined
  /** Ends the child for good. */
  stop: () => Promise<void>
  /** Restarts the child, for tests of what its absence does. */
  kill: (signal?: NodeJS.Signals) => void
}

/**
 * Starts a child and resolves when it is ready for the first time; from then on it is kept running.
 * @throws Error with its last lines, when it dies before it was ever ready.
 */
export async function startChild(options: ChildOptions): Promise<Child> {
  const { name, log, say, stopSignal = 'SIGTERM', graceMs = 10_000 } = options
  let running: ChildProcess | undefined
  let stopping = false
  const stopped = new AbortController()

  async function launch() {
    const { command, args, ...where } = await options.prepare()
    // In a session of its own: Ctrl-C reaches only the parent, which ends the children in order.
    const child = spawn(command, args, {
      ...where,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running = child
    reap(child)
    if (child.pid) options.onPid?.(child.pid)
    log.follow(child)
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', reject)
    })
    return child
  }

  async function launchAndWait() {
    const child = await launch()
    const death = new AbortController()
    child.once('exit', () => death.abort())
    const signal = AbortSignal.any([death.signal, stopped.signal])
    try {
      await options.ready?.(signal)
    } catch (error) {
      if (child.pid && isAlive(child.pid)) await end(child.pid, stopSignal, graceMs)
      throw new Error(`${name} did not start: ${log.lastLines() || error}`)
    }
    return child
  }

  async function keep(first: ChildProcess) {
    let child: ChildProcess | undefined = first
    let delayMs = firstDelayMs
    let deaths = 0
    for (;;) {
      const from = Date.now()
      const how = child ? await ended(child) : 'it did not start'
      if (stopping) return
      if (Date.now() - from > settledMs) [delayMs, deaths] = [firstDelayMs, 0]
      deaths++
      options.onDeath?.()
      const report: Log = deaths <= mostSaid ? say : () => {}
      // The last lines explain a crash, but not a kill from outside.
      const why = child?.exitCode ? `\n${log.lastLines(5)}` : ''
      report(`${name} ended (${how}); restarting it${why}`)
      if (deaths === mostSaid + 1)
        say(`${name} keeps ending; it is restarted every few seconds, see ${log.path}`)
      await sleep(delayMs, undefined, { signal: stopped.signal }).catch(() => {})
      if (stopping) return
      delayMs = Math.min(delayMs * 2, longestDelayMs)
      child = await launchAndWait().then(
        (again) => {
          report(`${name} runs again`)
          for (const listener of listeners) listener(name)
          return again
        },
        (error: Error) => {
          report(error.message)
          return undefined
        },
      )
    }
  }

  const first = await launchAndWait()
  const kept = keep(first)

  return {
    name,
    pid: () => running?.pid,
    kill: (signal = 'SIGKILL') => void running?.kill(signal),
    async stop() {
      stopping = true
      stopped.abort()
      if (running?.pid && isAlive(running.pid)) await end(running.pid, stopSignal, graceMs)
      await kept
      log.close()
    },
  }
}
