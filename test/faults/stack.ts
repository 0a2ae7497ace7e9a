import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { type Clock, openClock } from '../../db/clock.ts'
import { type Db, openDatabase } from '../../db/database.ts'
import { migrateToLatest } from '../../db/migrate.ts'
import { createToken } from '../../db/workspace/tokens.ts'
import { applyCluster } from '../../dev/operator/cluster.ts'
import { notice } from '../../dev/operator/progress.ts'
import { declared } from '../../dev/operator/temporal-declared.ts'
import { applyWorkspaceFile } from '../../dev/operator/workspace-apply.ts'
import { type Child, startChild } from '../../dev/stack/children.ts'
import { openLog } from '../../dev/stack/logs.ts'
import { startMailSink } from '../../dev/stack/mail.ts'
import { freePort, loopback } from '../../dev/stack/ports.ts'
import {
  type Postgres,
  prepareDatabase,
  serviceRole,
  startPostgres,
} from '../../dev/stack/postgres.ts'
import { commandOf, root } from '../../dev/stack/services.ts'
import { findTemporal, startTemporal } from '../../dev/stack/temporal.ts'

// The service as an operator runs it, in real processes that are started again when they die: Postgres and Temporal with
// data that survives, api and worker. Only the mail server lives here, because its misbehaviour is scripted.

const parts = ['api', 'worker', 'second', 'temporal', 'postgres'] as const
export type Part = (typeof parts)[number]

const secretKey = { current: 'a secret key of the fault tests' }
const password = 'of the fault tests'
// A Monday morning: letters may go.
const monday = '2026-11-23T09:00:00.000Z'
const scopes = ['inbox:read', 'inbox:write', 'send', 'campaigns:write']
const patienceMs = 60_000

export type Stack = Awaited<ReturnType<typeof startStack>>

/**
 * Starts everything in a folder of its own; the first worker dies at the named point. The caller stops it, and removes the folder when it is not needed any more.
 */
export async function startStack(
  name: string,
  { crashAt: first = '', env: more = {} as Record<string, string> } = {},
) {
  // Checked before anything is started: nothing can start without it.
  await findTemporal(notice)
  const folder = mkdtempSync(join(tmpdir(), `postroom-faults-${name}-`))
  // Postgres may run as a user of its own.
  chmodSync(folder, 0o755)
  mkdirSync(join(folder, 'logs'))
  const deaths: Record<string, number> = {}
  const say = (line: string) => {
    appendFileSync(join(folder, 'logs', 'stack.log'), `${new Date().toISOString()} ${line}\n`)
    const part = /^(postgres|temporal) ended \(/.exec(line)?.[1]
    if (part) died(part)
  }
  const died = (part: string) => {
    deaths[part] = (deaths[part] ?? 0) + 1
  }
  const logOf = (part: string) => openLog(join(folder, 'logs', `${part}.log`), part, () => {})

  const mail = await startMailSink({ folder: join(folder, 'mail') })
  const ports = {
    api: await freePort(),
    postgres: await freePort(),
    temporal: await freePort(),
    metrics: await freePort(),
  }
  const url = `http://${loopback}:${ports.api}`
  const address = `${loopback}:${ports.temporal}`
  const running: Partial<Record<Part, Child>> = {}
  const crashPoints = first ? [first] : []
  let [databaseUrl, ownerUrl] = ['', '']

  const service = (
    part: 'api' | 'worker' | 'second',
    file: string,
    ready?: (signal: AbortSignal) => Promise<void>,
  ) =>
    startChild({
      name: part,
      async prepare() {
        const env = {
          ...process.env,
          DATA_DIR: folder,
          DATABASE_URL: databaseUrl,
          SECRET_KEY: secretKey.current,
          TEMPORAL_ADDRESS: address,
          PUBLIC_URL: url,
          PORT: String(ports.api),
          CLOCK: monday,
          WEBHOOK_ALLOW_PRIVATE: 'true',
          RATE_READS: '1000000',
          RATE_CHANGES: '1000000',
          RATE_SENDS: '1000000',
          // One start for each point; the next is without it.
          CRASH_AT: (part === 'worker' && crashPoints.shift()) || '',
          ...more,
        }
        const args = commandOf(part === 'api' ? 'api' : 'worker', file)
        return { command: process.execPath, args, env, cwd: root }
      },
      ...(ready && { ready }),
      log: logOf(part),
      say,
      onDeath: () => died(part),
    })
  const start: Record<Part, () => Promise<Child>> = {
    postgres: () =>
      startPostgres({
        folder: join(folder, 'postgres'),
        port: ports.postgres,
        password,
        log: logOf('postgres'),
        say,
      }),
    temporal: () =>
      startTemporal({
        folder,
        port: ports.temporal,
        metricsPort: ports.metrics,
        database: join(folder, 'temporal.db'),
        say,
      }),
    api: () => service('api', 'api/server.ts', (signal) => untilReady(url, signal)),
    worker: () => service('worker', 'activities/worker.ts'),
    second: () => service('second', 'activities/worker.ts'),
  }

  async function database() {
    const postgres = (await start.postgres()) as Postgres
    running.postgres = postgres
    const urls = await prepareDatabase(postgres, 'postroom', { owner: password, service: password })
    ;[databaseUrl, ownerUrl] = [urls.url, urls.ownerUrl]
    await migrateToLatest(ownerUrl, serviceRole)
  }
  async function temporal() {
    running.temporal = await start.temporal()
    await applyCluster({ address }, declared.namespace, () => {})
  }
  const stopParts = async () => {
    for (const part of parts) await running[part]?.stop().catch(() => {})
  }

  let db: Db
  let clock: Clock
  try {
    await Promise.all([database(), temporal()])
    db = openDatabase(databaseUrl, 4)
    clock = await openClock(db, monday)
    const [api, worker] = await Promise.all([start.api(), start.worker()])
    Object.assign(running, { api, worker })
  } catch (error) {
    await stopParts()
    await mail.stop()
    throw error
  }
  const client = new Client({ connection: Connection.lazy({ address }) })

  return {
    folder,
    url,
    databaseUrl,
    /** By the role that owns the schema. */
    ownerUrl,
    temporalAddress: address,
    /** What Temporal's server counts. */
    temporalMetrics: `http://${loopback}:${ports.metrics}/metrics`,
    /** By the role that may change the settings of Postgres. */
    superuserUrl: () => (running.postgres as Postgres).url('postgres'),
    mail,
    db,
    clock,
    client,
    /** How often each part has died, whether killed from outside or by itself. */
    deaths,
    say,
    pid: (part: Part) => running[part]?.pid(),
    /** SIGKILL; it is restarted at once. SIGSTOP and SIGCONT freeze and continue it. */
    kill: (part: Part, signal: NodeJS.Signals = 'SIGKILL') => running[part]?.kill(signal),
    /** The next starts of the worker, the first of which this brings about, each die at one of the named points. */
    crashWorkerAt(...points: string[]) {
      crashPoints.push(...points)
      running.worker?.kill('SIGKILL')
    },
    /** SIGKILL, and it stays away until `up`. */
    async down(part: Part) {
      const child = running[part]
      child?.kill('SIGKILL')
      await child?.stop()
    },
    async up(part: Part) {
      running[part] = await start[part]()
    },
    /** Applies a workspace file; returns a token of its first member with every scope. */
    async workspace(file: { workspace: { id: string }; members: { id: string }[] }) {
      const path = join(folder, `${file.workspace.id}.yml`)
      writeFileSync(path, JSON.stringify(file))
      const applied = await applyWorkspaceFile(db, { path, env: {}, secretKey, now: clock.now() })
      if (applied.problems) throw new Error(JSON.stringify(applied.problems))
      const member = file.members[0]?.id as string
      const workspace = file.workspace.id
      return (await createToken(db, { workspace, member, client: 'faults', scopes })).token
    },
    async stop({ keep = false } = {}) {
      await stopParts()
      await client.connection.close()
      await db.destroy()
      await mail.stop()
      if (!keep) rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilReady(url: string, ended: AbortSignal) {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const signal = AbortSignal.timeout(2_000)
    if (
      await fetch(`${url}/readyz`, { signal }).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return
    ended.throwIfAborted()
    if (Date.now() > deadline) throw new Error(`${url} is not ready`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
