import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { openDatabase } from '../db/database.ts'
import { meetDatabase } from '../db/first-contact.ts'
import { listListeners } from '../db/listen.ts'
import { type MachineClock, notReadyFromMs } from '../db/machine-clock.ts'
import { noteStart } from '../db/operations/gauges.ts'
import { findKeyTrouble } from '../db/sealed.ts'
import { onChildEnded } from '../process/children/pool.ts'
import { loadConfig } from '../process/config.ts'
import { createLog, takeOverOutput, tellFirstContact } from '../process/telemetry/log.ts'
import {
  counted,
  watchEventLoop,
  watchListeners,
  watchMachineClock,
} from '../process/telemetry/metrics.ts'
import { httpFinder } from './ports/finder/http-finder.ts'
import { sharedThreads } from './ports/model/embedded.ts'
import { endpointModel } from './ports/model/endpoint.ts'
import { bundleAside } from './worker/bundle.ts'
import { temporalConnection } from './worker/connection.ts'
import { installRuntime, loopbackPort, serveMetrics } from './worker/runtime.ts'
import { type Queue, queues, runWorker } from './worker/start.ts'

// npm run worker [-- --only QUEUE,…]: the relay of the outbox, and the Temporal worker that runs workflows and activities; of all
// task queues, or of those that are named.

// For the threads that run workflows: by default each may keep 100 MB of what it has just thrown away.
setFlagsFromString('--max-semi-space-size=4')

const only = queuesAsked()
const config = loadConfig()
const log = createLog('worker', config.logLevel)
takeOverOutput(log)
watchEventLoop(log)
watchListeners(listListeners)
onChildEnded((_pool, reason) => counted('childrenKilled', { reason }))
const { databaseUrl, secretKey } = config
if (!databaseUrl || !secretKey) {
  log.fatal('Set DATABASE_URL and SECRET_KEY, or run beside npm start (same DATA_DIR).')
  process.exit(1)
}
// Temporal's runtime serves its own metrics; they are shown beside ours.
const { host, metricsPort: port } = config
const temporalPort = port === undefined ? undefined : await loopbackPort()
let machine: MachineClock | undefined
const isReady = () => machine !== undefined && Math.abs(machine.aheadMs()) < notReadyFromMs
if (port !== undefined) serveMetrics({ host, port, temporalPort, isReady }, log)
installRuntime(log, temporalPort)

const db = openDatabase(databaseUrl, config.databasePools.worker, { work: 'activities' })
const letters = openDatabase(databaseUrl, config.databasePools.letters, { work: 'letters' })
const bundling = bundleAside()
const { machine: compared, clock } = await meetDatabase(db, {
  clock: config.clock,
  ...tellFirstContact(log),
})
machine = compared
watchMachineClock(compared)
await noteStart(db, 'worker').catch(() => {})
for (const trouble of await findKeyTrouble(db, secretKey).catch(() => [])) log.warn(trouble)
const worker = await runWorker({
  schedules: true,
  deps: {
    db,
    letters,
    clock,
    log,
    secretKey,
    oauth: config.oauth,
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
  cachedWorkflows: config.cachedWorkflows,
  slots: config.workerSlots,
  only,
})
log.info({ taskQueue: config.temporal.taskQueue, ...(only && { only }) }, 'working')

// Errors are reported below.
const stop = () => void worker.stop().catch(() => {})
process.on('SIGTERM', stop)
process.on('SIGINT', stop)
const forced = await worker.stopped.then(
  () => false,
  (error) => {
    log.error(
      { err: error },
      'the worker did not stop cleanly; another worker takes over the work in progress',
    )
    return true
  },
)
await Promise.all([db.destroy(), letters.destroy()])
log.info('stopped')
process.exit(forced ? 1 : 0)

/** The task queues that `--only` names; undefined without it. */
function queuesAsked(): Queue[] | undefined {
  const wrong = (why: string) => {
    process.stderr.write(`${why}\nUsage: npm run worker -- [--only ${queues.join(',')}]\n`)
    return process.exit(2)
  }
  try {
    const { only: named } = parseArgs({ options: { only: { type: 'string' } } }).values
    const asked = named?.split(/[\s,]+/).filter((name) => name !== '')
    const unknown = asked?.find((name) => !queues.some((queue) => queue === name))
    if (unknown !== undefined) return wrong(`There is no task queue ${unknown}.`)
    if (asked?.length === 0) return wrong('--only names no task queue.')
    return asked && queues.filter((queue) => asked.includes(queue))
  } catch (error) {
    return wrong((error as Error).message)
  }
}
