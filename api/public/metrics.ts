import { Histogram } from 'prom-client'
import { counted, registers, registry } from '../../process/telemetry/metrics.ts'
import { errorCodes } from '../../rules/problem.ts'

const calls = new Histogram({
  name: 'postroom_http_request_seconds',
  help: 'Duration of calls in seconds, by method, route and status; 499 if the caller disconnected.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
  registers,
})

// A rate needs a first sample of 0.
for (const code of errorCodes) counted('refusals', { code }, 0)

// Finding a series by its labels costs more than everything else here.
const series = new Map<string, ReturnType<typeof calls.labels>>()

export function observe(method: string, route: string, status: number, seconds: number) {
  const name = `${method} ${status} ${route}`
  const known = series.get(name) ?? calls.labels({ method, route, status })
  series.set(name, known)
  known.observe(seconds)
}

/** The metrics in the Prometheus text format, after `read` has updated the gauges of the database. */
export async function renderMetrics(
  read: () => Promise<void>,
): Promise<{ type: string; text: string }> {
  await read()
  return { type: registry.contentType, text: await registry.metrics() }
}
