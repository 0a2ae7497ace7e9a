import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker'
import type { Log } from '../../process/telemetry/log.ts'
import { registry } from '../../process/telemetry/metrics.ts'
import { openThinning } from '../../process/telemetry/thinned.ts'

/**
 * Temporal's runtime for this process. Messages of the SDK and its core become lines of our log; a message that repeats, such
 * as that the server cannot be reached, is thinned out. If metrics are wanted, they are served on a separate loopback port.
 */
export function installRuntime(log: Log, metricsPort: number | undefined) {
  const often = openThinning()
  Runtime.install({
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
      // Two of the task queues run activities only, by design.
      if (message.startsWith('No workflows registered')) return
      // Our own line names the activity and the cause (failures.ts).
      if (message === 'Activity failed') return
      const told = often(message.replace(/\d+/g, '#').slice(0, 300))
      if (!told) return
      const { error, workflowId, workflowType } = meta ?? {}
      const facts = { error, workflow: workflowId, type: workflowType, ...told }
      log[level === 'ERROR' ? 'error' : 'warn'](facts, message)
    }),
    telemetryOptions: {
      logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }) },
      ...(metricsPort && { metrics: { prometheus: { bindAddress: `127.0.0.1:${metricsPort}` } } }),
    },
    shutdownSignals: [],
  })
}

// The worker's metrics page: its own metrics, and those of Temporal's runtime, which serves them on a separate loopback port.

const answerMs = 3_000

/** A loopback port that is free at this moment. */
export async function loopbackPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Serves /metrics, /livez and /readyz. If the port cannot be opened, that is logged and the worker runs without them. */
export function serveMetrics(
  {
    host,
    port,
    temporalPort,
    isReady,
  }: { host: string; port: number; temporalPort?: number | undefined; isReady(): boolean },
  log: Log,
) {
  const server = createServer(async (request, response) => {
    if (request.url === '/livez')
      return void response.setHeader('content-type', 'application/json').end('{"status":"ok"}')
    if (request.url === '/readyz') {
      const status = isReady() ? 'ok' : 'unavailable'
      return void response
        .writeHead(status === 'ok' ? 200 : 503, { 'content-type': 'application/json' })
        .end(JSON.stringify({ status }))
    }
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    const [own, temporal] = await Promise.all([registry.metrics(), ofTemporal(temporalPort)])
    response.setHeader('content-type', registry.contentType).end(`${own}\n${temporal}`)
  })
  server.on('error', (error) => log.error({ err: error }, 'metrics cannot be served'))
  server.listen(port, host)
  server.unref()
}

const ofTemporal = (port: number | undefined) =>
  fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(answerMs) }).then(
    (answer) => answer.text(),
    () => '',
  )
