import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { version } from '../version.ts'
import type { Log } from './log.ts'

// What every process measures of itself, in the one registry that its /metrics shows.

export const registry = new Registry()
export const registers = [registry]

// What every program of Node tells: CPU, memory, handles, garbage collection.
collectDefaultMetrics({ register: registry })
// Not a number between two scrapes; how late the event loop is, is measured below.
for (const { name } of registry.getMetricsAsArray())
  if (name.startsWith('nodejs_eventloop_lag')) registry.removeSingleMetric(name)
new Gauge({
  name: 'postroom_build_info',
  help: '1, with the version of Postroom and of Node that run here.',
  labelNames: ['version', 'node'],
  registers,
}).set({ version, node: process.version }, 1)

const counter = <Name extends string>(name: string, help: string, labelNames: Name[] = []) =>
  new Counter({ name: `postroom_${name}_total`, help, labelNames, registers })

const counters = {
  refusals: counter('refusals', 'Refused calls by the code of the refusal.', ['code']),
  childrenKilled: counter(
    'children_killed',
    'Children that took foreign content apart and were ended, by reason.',
    ['reason'],
  ),
  letters: counter(
    'letters',
    'Messages, campaign letters and invitations by what became of them; a resolved one counts again.',
    ['kind', 'outcome', 'reason'],
  ),
  blockedSeconds: counter(
    'event_loop_blocked_seconds',
    'Seconds in which the event loop stood still for longer than one at a time.',
  ),
}

/** Counts something that happened; a label's values must be few and known beforehand. */
export const counted = (
  name: keyof typeof counters,
  labels: Partial<Record<'code' | 'reason' | 'kind' | 'outcome', string>> = {},
  times = 1,
) => (counters[name] as Counter).inc(labels, times)

const resolutionMs = 10
const tickMs = 100
const blockedMs = 1000

const delay = monitorEventLoopDelay({ resolution: resolutionMs })
// The monitor measures from one of its timers to the next, and nothing from a reset to the first of them.
let worstSeconds = 0

new Gauge({
  name: 'postroom_event_loop_lag_seconds',
  help: 'How late the event loop was since the last scrape: half of the time, in 99 of 100 cases, at most.',
  labelNames: ['stat'],
  registers,
  collect() {
    const seconds = (nanoseconds: number) =>
      Math.max(0, (nanoseconds || 0) / 1e9 - resolutionMs / 1000)
    this.set({ stat: 'p50' }, seconds(delay.percentile(50)))
    this.set({ stat: 'p99' }, seconds(delay.percentile(99)))
    const max = delay.count > 0 ? seconds(delay.max) : 0
    this.set({ stat: 'max' }, Math.max(max, worstSeconds))
    delay.reset()
    worstSeconds = 0
  },
})

new Gauge({
  name: 'postroom_memory_bytes',
  help: 'Resident memory of the process.',
  registers,
  collect() {
    this.set(process.memoryUsage.rss())
  },
})

/** Measures from now on how late the event loop is, and says in the log when it stood still for more than a second. */
export function watchEventLoop(log: Log) {
  delay.enable()
  let due = performance.now() + tickMs
  const look = () => {
    const now = performance.now()
    const lateMs = now - due
    due = now + tickMs
    worstSeconds = Math.max(worstSeconds, lateMs / 1000)
    if (lateMs < blockedMs) return
    counted('blockedSeconds', {}, lateMs / 1000)
    log.warn({ blockedMs: Math.round(lateMs) }, 'the event loop stood still')
  }
  setInterval(look, tickMs).unref()
}
