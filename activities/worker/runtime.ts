import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker'
import type { Log } from '../../telemetry/log.ts'
import { openThinning } from '../../telemetry/thinned.ts'

/**
 * Temporal's runtime of this process. What the SDK and its core say comes as lines of our log, and what they repeat, such as that
 * the server cannot be reached, now and then. Its metrics, where they are wanted, are served on a loopback port of their own.
 */
export function installRuntime(log: Log, metricsPort: number | undefined) {
  const often = openThinning()
  Runtime.install({
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
      // Three of the task queues are for activities alone, and meant so.
      if (message.startsWith('No workflows registered')) return
      // Our own line says of which, and why (trouble.ts).
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
