import { Gauge, Histogram, Registry } from 'prom-client'
import type { Db } from '../db/database.ts'
import { oldestCommandAge } from '../db/outbox.ts'

const registry = new Registry()

const calls = new Histogram({
  name: 'postroom_http_request_seconds',
  help: 'Calls by method, route and status.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
  registers: [registry],
})
const oldest = new Gauge({
  name: 'postroom_outbox_oldest_seconds',
  help: 'How long the oldest command to Temporal that is not carried out yet has waited.',
  registers: [registry],
})

export const observe = (method: string, route: string, status: number, seconds: number) =>
  calls.observe({ method, route, status }, seconds)

/** The metrics in the Prometheus text format; those of the database are left out while it is away. */
export async function renderMetrics(db: Db): Promise<{ type: string; text: string }> {
  oldest.set(await oldestCommandAge(db).catch(() => Number.NaN))
  return { type: registry.contentType, text: await registry.metrics() }
}
