import { Histogram } from 'prom-client'
import { errorCodes } from '../../rules/problem.ts'
import { counted, registers, registry } from '../../telemetry/metrics.ts'

const calls = new Histogram({
  name: 'postroom_http_request_seconds',
  help: 'Seconds that calls took, by method, route and status; 499 where the caller went away.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
  registers,
})

// Rates are told of what has been 0 before.
for (const code of errorCodes) counted('refusals', { code }, 0)

export const observe = (method: string, route: string, status: number, seconds: number) =>
  calls.observe({ method, route, status }, seconds)

/** The metrics in the Prometheus text format, once `read` has brought the gauges of the database up to date. */
export async function renderMetrics(
  read: () => Promise<void>,
): Promise<{ type: string; text: string }> {
  await read()
  return { type: registry.contentType, text: await registry.metrics() }
}
