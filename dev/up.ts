import { join, relative, resolve } from 'node:path'
import { setInterval } from 'node:timers'
import { type Config, parseConfig, readStack, type Stack } from '../process/config.ts'
import { isLoopback } from '../process/network/loopback.ts'
import { notice, step, timed } from './operator/progress.ts'
import { keptSecret, makeDataDir, writeStack } from './operator/stack-values.ts'
import { whenRestarted } from './stack/children.ts'
import { choosePorts, keptPorts, type Ports } from './stack/ports.ts'
import { serviceRole } from './stack/postgres.ts'
import { ancestor, isAlive, pidFiles } from './stack/processes.ts'
import {
  orAborted,
  reachable,
  root,
  startApi,
  startDatabase,
  startInboxes,
  startMail,
  startWorker,
  takeOver,
} from './stack/services.ts'
import { stepsTaken, take } from './stack/steps.ts'
import { summary } from './stack/summary.ts'
import { startTemporal } from './stack/temporal.ts'

// npm start: the whole service on one machine. Postgres, Temporal, the worker and the API are children of this
// process, which restarts one that dies and ends them in order when it is asked to stop.

type Stop = () => Promise<unknown>
// The processes that serve end together; then those that they depend on.
const order = [
  ['api', 'worker'],
  ['temporal'],
  ['postgres'],
  ['mailboxes'],
  ['mail'],
  ['lock'],
] as const
const stops: Partial<Record<(typeof order)[number][number], Stop>> = {}
let stopping = false

async function start(config: Config) {
  const dataDir = resolve(config.dataDir)
  const place = { dataDir, say: timed }
  const file = config.workspaceFile ?? 'dev/demo.yml'
  const sandbox = config.workspaceFile === undefined ? 'dev/sandbox.yml' : undefined
  // This check needs no running part, so a mistyped variable is reported before anything starts.
  await take('judgeWorkspace', file, { ...process.env, ...foreseen(config) })
  makeDataDir(dataDir)
  await takeOver(place)
  stops.lock = async () => pidFiles(dataDir).clear()

  const last = readStack(dataDir)
  const ports = await choosePorts(config, last)
  const stack: Stack = {
    ...keptPorts(last),
    PORT: String(ports.api),
    SECRET_KEY: '',
    DATABASE_URL: '',
  }
  const save = (more: Stack) => writeStack(dataDir, Object.assign(stack, more))
  save({
    SECRET_KEY: config.secretKey?.current ?? keptSecret(dataDir, 'secret-key'),
    SECRET_KEY_PREVIOUS: config.secretKey?.previous ?? '',
    PUBLIC_URL: ports.api === config.port ? config.publicUrl : reachable(config.host, ports.api),
    TEMPORAL_ADDRESS: config.temporal.external
      ? config.temporal.address
      : `127.0.0.1:${ports.temporal}`,
    TEMPORAL_NAMESPACE: config.temporal.namespace,
    TEMPORAL_UI_URL: config.temporal.external
      ? config.temporal.uiUrl
      : `http://127.0.0.1:${ports.ui}`,
  })

  await Promise.all([
    database(),
    config.temporal.external ? undefined : embeddedTemporal(),
    step('mail sink and mailboxes', mail),
  ])

  // Nothing from here on changes the schema.
  const env = {
    ...process.env,
    ...stack,
    MIGRATE_DATABASE_URL: '',
    DATA_DIR: dataDir,
    // Whoever tries webhooks has their receiver on this machine. An API that others reach must not lead them there.
    WEBHOOK_ALLOW_PRIVATE: process.env['WEBHOOK_ALLOW_PRIVATE'] || String(isLoopback(config.host)),
  }
  const settled = parseConfig(env)
  await cluster(settled)
  await step(`workspace of ${file}`, () => take('applyWorkspace', file, env))
  if (sandbox) await step(`workspace of ${sandbox}`, () => take('applyWorkspace', sandbox, env))

  const worker = await step('worker', () =>
    startWorker(place, env, (end) => orAborted(end, take('untilPolled', settled))),
  )
  stops.worker = worker.stop
  const holder = await take('token', file, dataDir, env)
  const trier = sandbox && (await take('token', sandbox, dataDir, env, 'sandbox-token'))
  const url = reachable(config.host, ports.api)
  const api = await step(`api on port ${ports.api}`, () => startApi(place, env, url))
  stops.api = api.stop
  const leaving = await take('leaving', settled.databaseUrl as string, ports.smtp)
  stepsTaken()

  process.stdout.write(
    summary({
      url: settled.publicUrl,
      uiUrl: settled.temporal.uiUrl,
      mailUrl: `http://127.0.0.1:${stack['MAIL_HTTP_PORT']}`,
      smtpPort: stack['MAIL_SMTP_PORT'],
      imapPort: stack['MAIL_IMAP_PORT'],
      leaving,
      dataDir: relative(root, dataDir).startsWith('..') ? dataDir : relative(root, dataDir),
      holder: holder && `${holder.name} in ${holder.of}`,
      token: holder?.token,
      sandboxToken: trier?.token,
    }),
  )

  async function database() {
    const { url, ownerUrl, role } = config.databaseUrl
      ? {
          url: config.databaseUrl,
          ownerUrl: config.migrateDatabaseUrl as string,
          role: config.databaseRole,
        }
      : await embeddedPostgres()
    save({ DATABASE_URL: url, MIGRATE_DATABASE_URL: ownerUrl })
    await step('migrations', () => take('migrate', ownerUrl, role))
    whenRestarted((name) => countRestart(url, name))
  }

  async function embeddedPostgres() {
    const lastPort = Number(last['POSTGRES_PORT']) || undefined
    const { postgres, port, ...urls } = await step('postgres', () => startDatabase(place, lastPort))
    stops.postgres = postgres.stop
    save({ POSTGRES_PORT: String(port) })
    return { ...urls, role: serviceRole }
  }

  async function embeddedTemporal() {
    const temporal = await step('temporal and its Web UI', () =>
      startTemporal({
        folder: dataDir,
        port: ports.temporal,
        uiPort: ports.ui,
        database: join(dataDir, 'temporal.db'),
        namespace: config.temporal.namespace,
        say: timed,
        onPid: pidFiles(dataDir).write,
        answers: (address, namespace, end) =>
          orAborted(end, take('untilTemporalAnswers', address, namespace)),
      }),
    )
    stops.temporal = temporal.stop
  }

  async function mail() {
    const sink = await startMail(place, ports)
    stops.mail = sink.stop
    const inboxes = await startInboxes(place, sink, ports)
    if (inboxes) stops.mailboxes = inboxes.stop
    save(mailEnv(ports, inboxes?.imapPort))
  }
}

/** The ports that a workspace file uses for mail; an empty mailbox port means that there are no mailboxes. */
const mailEnv = ({ smtp, http }: Ports, imap: number | undefined): Stack => ({
  MAIL_SMTP_PORT: String(smtp),
  MAIL_HTTP_PORT: String(http),
  MAIL_IMAP_PORT: String(imap ?? ''),
})

/** Of the variables that a start sets for its workspace file, those that the file may use, with valid values. */
const foreseen = ({ port, publicUrl, mail: { smtp, http, imap } }: Config): Stack => ({
  PORT: String(port || 8080),
  PUBLIC_URL: publicUrl,
  MAIL_SMTP_PORT: String(smtp || 3025),
  MAIL_HTTP_PORT: String(http || 8025),
  MAIL_IMAP_PORT: String(imap || 3143),
})

/** The API and the worker count their starts themselves. */
function countRestart(url: string, name: string) {
  if (name !== 'api' && name !== 'worker') void take('countRestart', url, name).catch(() => {})
}

/** The cluster of this stack must have what the service needs. Another cluster may refuse changes, or be down. */
async function cluster(config: Config) {
  const { external, address } = config.temporal
  const apply = () => take('cluster', config)
  if (!external) return step('namespace and search attributes', apply)
  await step(`namespace and search attributes of ${address}`, apply).catch((error: Error) =>
    timed(
      `${address}: ${error.message}. Work is accepted and starts once the cluster is reachable and set up.`,
    ),
  )
}

async function stop(code: number): Promise<never> {
  stopping = true
  for (const names of order) {
    await Promise.all(names.map((name) => stops[name]?.().catch((e: Error) => notice(e.message))))
  }
  if (code === 0) notice('Stopped. npm start continues from here.')
  process.exit(code)
}

function askedToStop(by: string) {
  // If this process ends without stopping its children, the reaper ends them.
  if (stopping) process.exit(130)
  notice(`\n${by}: stopping (repeat to stop at once)`)
  void stop(0)
}

// npm passes signals to a shell that may not pass them on. Killed by a signal, that shell leaves this script running
// without the knowledge of whoever started it: when npm exits, so does this process.
async function stopWithNpm() {
  const npm = await ancestor(/\bnpm\b/)
  if (!npm) return
  setInterval(() => {
    if (!isAlive(npm) && !stopping) askedToStop('npm exited')
  }, 250).unref()
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, askedToStop)
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

try {
  await stopWithNpm()
  await start(parseConfig(process.env))
} catch (error) {
  if (!stopping) {
    notice(error instanceof Error ? error.message : String(error))
    await stop(1)
  }
}
