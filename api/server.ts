import { openDatabase } from '../db/database.ts'
import { meetDatabase } from '../db/first-contact.ts'
import { listListeners } from '../db/listen.ts'
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
import { createApp } from './app.ts'
import { listenForAnswers } from './http/answers.ts'
import { openEventFeed } from './http/event-feed.ts'
import { createHttpServer } from './http/http-server.ts'

// npm run api: the HTTP JSON API. It needs only Postgres; the worker's relay starts the accepted work in Temporal.

const config = loadConfig()
const log = createLog('api', config.logLevel)
takeOverOutput(log)
watchEventLoop(log)
watchListeners(listListeners)
onChildEnded((_pool, reason) => counted('childrenKilled', { reason }))
if (!config.databaseUrl) {
  log.fatal('No database: set DATABASE_URL, or run beside npm start (same DATA_DIR).')
  process.exit(1)
}
const { databaseUrl, databasePools: pools } = config
const db = openDatabase(databaseUrl, pools.changes, { work: 'changes' })
const reads = openDatabase(databaseUrl, pools.reads, { work: 'reads' })
const tokens = openDatabase(databaseUrl, pools.tokens, { work: 'tokens' })
const { machine, clock } = await meetDatabase(reads, {
  clock: config.clock,
  ...tellFirstContact(log),
})
watchMachineClock(machine)
if (config.secretKey)
  for (const trouble of await findKeyTrouble(db, config.secretKey).catch(() => []))
    log.warn(trouble)
// Without the schema, starts cannot be counted.
await noteStart(db, 'api').catch(() => {})
const answers = listenForAnswers(reads, databaseUrl)
const events = openEventFeed(reads, databaseUrl)
const app = createApp({
  db,
  reads,
  tokens,
  clock,
  machine,
  answers,
  events,
  rates: config.rates,
  log,
  secretKey: config.secretKey,
  oauth: config.oauth,
  deployment: {
    publicUrl: config.publicUrl,
    temporalUiUrl: config.temporal.uiUrl,
    temporalNamespace: config.temporal.namespace,
    variant: config.variant,
    webhookAllowPrivate: config.webhookAllowPrivate,
    mailAllowPrivate: config.mailAllowPrivate,
    oauthProviders: (['google', 'microsoft'] as const).filter((one) => config.oauth[one]),
    corsOrigins: config.corsOrigins,
    returnOrigins: config.returnOrigins,
  },
})
const server = createHttpServer(app, log)
server.listen(config.port, config.host, () =>
  log.info({ port: config.port, variant: config.variant }, 'listening'),
)

// Graceful stop: no new connections, open calls are answered, then the pool closes.
let stopping = false
function stop() {
  if (stopping) return
  stopping = true
  log.info('stopping')
  void events.close()
  server.close(async () => {
    await answers.close()
    await Promise.all([db, reads, tokens].map((pool) => pool.destroy()))
    process.exit(0)
  })
  server.closeIdleConnections()
  setTimeout(() => process.exit(0), 10_000).unref()
}
process.on('SIGTERM', stop)
process.on('SIGINT', stop)
