import { Gauge, Histogram, Registry } from 'prom-client'
import type { Db } from '../db/database.ts'
import { type Backlog, findBacklog } from '../db/outbox.ts'

const registry = new Registry()
const registers = [registry]

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

export const observe = (method: string, route: string, status: number, seconds: number) =>
  calls.observe({ method, route, status }, seconds)

/** The metrics in the Prometheus text format; those of the database are not a number while it is away. */
export async function renderMetrics(db: Db): Promise<{ type: string; text: string }> {
  const found = await findBacklog(db).catch(() => undefined)
  for (const [name, metric] of Object.entries(backlog))
    metric.set(found?.[name as keyof Backlog] ?? Number.NaN)
  return { type: registry.contentType, text: await registry.metrics() }
}
