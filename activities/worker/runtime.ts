import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker'
import type { Log } from '../../process/telemetry/log.ts'
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
