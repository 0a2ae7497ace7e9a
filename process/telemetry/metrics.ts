import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { version } from '../version.ts'
import type { Log } from './log.ts'

// What every process measures of itself, in the one registry behind its /metrics.

export const registry = new Registry()
export const registers = [registry]

// The usual metrics of a Node program: CPU, memory, handles, garbage collection.
collectDefaultMetrics({ register: registry })
// Left out, since they are NaN between two scrapes. The lag of the event loop is measured below.
for (const { name } of registry.getMetricsAsArray())
  if (name.startsWith('nodejs_eventloop_lag')) registry.removeSingleMetric(name)
new Gauge({
  name: 'postroom_build_info',
  help: 'Always 1; the labels have the versions of Postroom and Node.',
  labelNames: ['version', 'node'],
  registers,
}).set({ version, node: process.version }, 1)

const counter = <Name extends string>(name: string, help: string, labelNames: Name[] = []) =>
  new Counter({ name: `postroom_${name}_total`, help, labelNames, registers })

const counters = {
  refusals: counter('refusals', 'Refused calls, by error code.', ['code']),
  childrenKilled: counter(
    'children_killed',
    'Child processes that were parsing foreign content when they were ended, by reason.',
    ['reason'],
  ),
  letters: counter(
    'letters',
    'Messages, campaign letters and invitations by outcome; one that is resolved counts again.',
    ['kind', 'outcome', 'reason'],
  ),
  smtpLogins: counter(
    'smtp_logins',
    'Attempts to open an SMTP session and log in, by outcome: opened or failed.',
    ['outcome'],
  ),
  eventStreamsEnded: counter(
    'event_streams_ended',
    'Streams of events that have ended, by reason.',
    ['reason'],
  ),
  blockedSeconds: counter(
    'event_loop_blocked_seconds',
    'Seconds for which the event loop was blocked, in stretches of more than one second.',
  ),
}

// A counter that appears with its first occurrence hides that from whoever looks for an increase.
for (const reason of ['time', 'memory', 'stalled', 'size', 'crash'])
  counters.childrenKilled.inc({ reason }, 0)
for (const outcome of ['opened', 'failed']) counters.smtpLogins.inc({ outcome }, 0)

/** Counts an occurrence. The values of a label must be few and known beforehand. */
export const counted = (
  name: keyof typeof counters,
  labels: Partial<Record<'code' | 'reason' | 'kind' | 'outcome', string>> = {},
  times = 1,
) => (counters[name] as Counter).inc(labels, times)

let aheadMs = () => 0

new Gauge({
  name: 'postroom_clock_ahead_seconds',
  help: "Seconds by which this machine's clock is ahead of the database's, or behind it if negative.",
  registers,
  collect() {
    this.set(aheadMs() / 1000)
  },
})

/** Shows by how much the clock of this machine is ahead of the database's. */
export function watchMachineClock(machine: { aheadMs(): number }) {
  aheadMs = machine.aheadMs
}

type Listener = { channel: string; isAlive: boolean }
let listeners = (): readonly Listener[] => []

new Gauge({
  name: 'postroom_listener_alive',
  help: '1 for a connection that hears of new work at once; 0 while it connects again, and work is only looked for.',
  labelNames: ['channel'],
  registers,
  collect() {
    this.reset()
    for (const { channel, isAlive } of listeners()) this.set({ channel }, isAlive ? 1 : 0)
  },
})

/** Shows of each connection of this process that listens, by its channel, whether it is alive. */
export function watchListeners(list: typeof listeners) {
  listeners = list
}

// Both are timers that run for as long as the process does: at rest they would be most of what it does.
const resolutionMs = 50
const tickMs = 250
const blockedMs = 1000

const delay = monitorEventLoopDelay({ resolution: resolutionMs })
// The monitor measures from one of its timers to the next, so it measures nothing between a reset and the first
// timer.
let worstSeconds = 0

new Gauge({
  name: 'postroom_event_loop_lag_seconds',
  help: 'Lag of the event loop since the last scrape: median, 99th percentile and maximum.',
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

/** Measures the lag of the event loop from now on, and logs when the loop was blocked for more than a second. */
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
