import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker'
import { loadConfig } from '../config.ts'
import { openClock } from '../db/clock.ts'
import { onceAvailable, openDatabase } from '../db/database.ts'
import { findKeyTrouble } from '../db/sealed.ts'
import { createLog, takeOverOutput } from '../log.ts'
import { httpFinder } from './finder/http-finder.ts'
import { sharedThreads } from './model/embedded.ts'
import { endpointModel } from './model/endpoint.ts'
import { bundleWorkflows, runWorker } from './run.ts'
import { temporalConnection } from './temporal.ts'

// npm run worker: the relay of the outbox, and the Temporal worker that runs workflows and activities.

const config = loadConfig()
const log = createLog('worker', config.logLevel)
takeOverOutput(log)
const { databaseUrl, secretKey } = config
if (!databaseUrl || !secretKey) {
  log.fatal('Set DATABASE_URL and SECRET_KEY, or run beside npm start (same DATA_DIR).')
  process.exit(1)
}
Runtime.install({
  logger: new DefaultLogger('WARN', ({ level, message, meta }) =>
    log[level === 'ERROR' ? 'error' : 'warn']({ error: meta?.['error'] }, message),
  ),
  telemetryOptions: {
    // What the SDK's core says comes as lines of this log too, not as coloured text beside it.
    logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }) },
    ...(config.metricsPort !== undefined && {
      metrics: { prometheus: { bindAddress: `${config.host}:${config.metricsPort}` } },
    }),
  },
  shutdownSignals: [],
})

const db = openDatabase(databaseUrl)
const bundling = bundleWorkflows()
const clock = await onceAvailable(
  () => openClock(db, config.clock),
  () => log.warn('the database cannot be reached; trying on'),
)
for (const trouble of await findKeyTrouble(db, secretKey).catch(() => [])) log.warn(trouble)
const worker = await runWorker({
  schedules: true,
  deps: {
    db,
    clock,
    log,
    secretKey,
    finder: config.finder && httpFinder(config.finder),
    publicUrl: config.publicUrl,
    model: config.model && endpointModel(config.model, sharedThreads),
    webhookAllowPrivate: config.webhookAllowPrivate,
    crash: (point) => {
      if (point === config.crashAt) process.kill(process.pid, 'SIGKILL')
    },
  },
  databaseUrl,
  connection: temporalConnection(config),
  namespace: config.temporal.namespace,
  taskQueue: config.temporal.taskQueue,
  bundle: await bundling,
})
log.info({ taskQueue: config.temporal.taskQueue }, 'working')

const stop = () => void worker.stop()
process.on('SIGTERM', stop)
process.on('SIGINT', stop)
await worker.stopped
await db.destroy()
log.info('stopped')
process.exit(0)
