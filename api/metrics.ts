import { Gauge, Histogram } from 'prom-client'
import { countStarts, countSuppressions } from '../db/alarms.ts'
import type { Clock } from '../db/clock.ts'
import type { Db } from '../db/database.ts'
import { type Backlog, findBacklog } from '../db/outbox.ts'
import { counted, registers, registry } from '../metrics.ts'
import { errorCodes } from './errors.ts'

const calls = new Histogram({
  name: 'postroom_http_request_seconds',
  help: 'Calls by method, route and status.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
  registers,
})

const gauge = (name: string, help: string) =>
  new Gauge({ name: `postroom_${name}`, help, registers })
const backlog: Record<keyof Backlog, Gauge> = {
  oldestSeconds: gauge(
    'outbox_oldest_seconds',
    'Age of the oldest command to Temporal not carried out yet.',
  ),
  dead: gauge('outbox_dead', 'Commands Temporal refused for good.'),
  orphaned: gauge('operations_orphaned', 'Open operations whose workflow is closed or missing.'),
  unconfirmed: gauge(
    'letters_unconfirmed',
    'Letters and messages of which nobody knows whether they arrived.',
  ),
}

const suppressions = new Gauge({
  name: 'postroom_suppressions_last_hour',
  help: 'Addresses that were suppressed in the last hour, by reason.',
  labelNames: ['reason'],
  registers,
})
const starts = new Gauge({
  name: 'postroom_process_starts_last_hour',
  help: 'How often a process was started in the last hour, by its name.',
  labelNames: ['process'],
  registers,
})

// Rates are told of what has been 0 before.
for (const code of errorCodes) counted('refusals', { code }, 0)

export const observe = (method: string, route: string, status: number, seconds: number) =>
  calls.observe({ method, route, status }, seconds)

/** The metrics in the Prometheus text format; those of the database are not a number while it is away. */
export async function renderMetrics(db: Db, clock: Clock): Promise<{ type: string; text: string }> {
  const [found, suppressed, started] = await Promise.all([
    findBacklog(db).catch(() => undefined),
    countSuppressions(db, clock.now()).catch(() => undefined),
    countStarts(db).catch(() => undefined),
  ])
  for (const [name, metric] of Object.entries(backlog))
    metric.set(found?.[name as keyof Backlog] ?? Number.NaN)
  show(suppressions, 'reason', suppressed)
  show(starts, 'process', started)
  return { type: registry.contentType, text: await registry.metrics() }
}

function show(gauge: Gauge, label: string, counts: Record<string, number> | undefined) {
  gauge.reset()
  for (const [value, count] of Object.entries(counts ?? {})) gauge.set({ [label]: value }, count)
}
