import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { DefaultLogger, Runtime, type WorkflowBundle } from '@temporalio/worker'
import type { Context } from 'mocha'
import type { Deps } from '../../activities/deps.ts'
import { bundleWorkflows } from '../../activities/worker/bundle.ts'
import { type Queue, runWorker } from '../../activities/worker/start.ts'
import { createApp } from '../../api/app.ts'
import { listenForAnswers } from '../../api/http/answers.ts'
import { openEventFeed } from '../../api/http/event-feed.ts'
import { createHttpServer } from '../../api/http/http-server.ts'
import { type Patience, patience } from '../../api/http/patience.ts'
import type { AdminScope, Scope } from '../../api/route.ts'
import { type Clock, clockWith } from '../../db/clock.ts'
import { type Db, openDatabase } from '../../db/database.ts'
import { limits as usualLimits } from '../../db/limits.ts'
import type { SecretKey } from '../../db/secrets.ts'
import { keepSetting } from '../../db/settings.ts'
import { createAdminToken } from '../../db/workspace/admin-tokens.ts'
import { createToken } from '../../db/workspace/tokens.ts'
import type { OauthClients } from '../../oauth/provider.ts'
import { createLog } from '../../process/telemetry/log.ts'
import { given } from '../runner/servers.ts'
import { waited } from '../runner/waits.ts'
import { type Given, givenWorkspace, secretKey } from './given.ts'
import { atExit } from './hooks.ts'
import { createTestDatabase } from './postgres.ts'
import { testTemporal } from './temporal.ts'

// The service as its processes run it, in this process: the real app on a free port, its own database, and on demand the
// real relay and worker on a task queue of their own.

export const allScopes: Scope[] = ['inbox:read', 'inbox:write', 'send', 'campaigns:write']

export const allAdminScopes: AdminScope[] = ['workspaces', 'members', 'connections', 'tokens']

export type Reply = {
  status: number
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers member by member.
  body: any
  headers: Headers
}
export type CallOptions = {
  key?: string | null
  token?: string | undefined
  headers?: Record<string, string>
}

/** A clock that tests set, and that the database keeps too. Between settings it advances with the machine's. */
async function testClock(db: Db, start: string) {
  let offsetMs = 0
  const clock = {
    ...clockWith(() => offsetMs),
    /** Sets it in this process alone, without a statement. */
    setHere(at: string) {
      offsetMs = Date.parse(at) - Date.now()
    },
    async set(at: string) {
      clock.setHere(at)
      await keepSetting(db, 'clock', { given: at, offsetMs })
    },
  }
  await clock.set(start)
  return clock
}

export type TestService = Awaited<ReturnType<typeof startService>>

const patienceMs = 600_000
// A Monday morning: letters may go.
const monday = '2026-11-23T09:00:00.000Z'

export async function startService(
  options: {
    now?: string
    variant?: 'full' | 'reduced'
    rates?: number
    secretKey?: SecretKey
    /** The database of another service, which stays its own. */
    databaseUrl?: string
    /** Receivers of tests are on this machine, so unless said otherwise they are allowed. */
    webhookAllowPrivate?: boolean
    mailAllowPrivate?: boolean
    corsOrigins?: string[]
    returnOrigins?: string[]
    /** Its links lead to its own address; otherwise to one without a port. */
    ownLinks?: boolean
    /** Replaces some of the usual times that calls wait. */
    patience?: Partial<Patience>
    /** How long a change waits for a lock. */
    lockMs?: number
    /** Takes every line that is logged, from trace on. */
    logged?: (line: string) => void
  } = {},
) {
  const database = options.databaseUrl
    ? { url: options.databaseUrl, ownerUrl: '', drop: async () => {} }
    : await createTestDatabase()
  // On a machine with much to do, a new connection takes longer than the five seconds of a deployment. A database that the test
  // names may be one that does not answer.
  const connectMs = options.databaseUrl ? 5_000 : 60_000
  // There, statements take longer too, and tests hold transactions open.
  const limits = { statementMs: patienceMs, idleMs: patienceMs, silentMs: 0 }
  const { lockMs = usualLimits.changes.lockMs } = options
  const db = openDatabase(database.url, 20, {
    work: 'changes',
    limits: { ...limits, lockMs },
    connectMs,
  })
  const clock = await testClock(db, options.now ?? monday)
  const log = options.logged
    ? createLog('test', 'trace', { write: options.logged })
    : createLog('test', process.env['TEST_LOG'] || 'silent')
  const answers = listenForAnswers(db, database.url)
  const events = openEventFeed(db, database.url)
  const rate = options.rates ?? 1_000_000
  const { variant = 'full', webhookAllowPrivate = true, mailAllowPrivate = true } = options
  const { corsOrigins = [], returnOrigins = [] } = options
  const deployment = {
    publicUrl: 'http://127.0.0.1',
    temporalUiUrl: 'http://127.0.0.1:8233',
    temporalNamespace: 'default',
    ...{ variant, webhookAllowPrivate, mailAllowPrivate, corsOrigins, returnOrigins },
    oauthProviders: ['google' as const],
  }
  const oauth: OauthClients = { microsoftTenant: 'common' }
  const app = createApp({
    db,
    clock,
    answers,
    events,
    rates: { reads: rate, changes: rate, sends: rate },
    log,
    secretKey: options.secretKey ?? secretKey,
    deployment,
    oauth,
    patience: { ...patience, ...options.patience },
  })
  const server = createHttpServer(app, log)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  if (options.ownLinks) deployment.publicUrl = url
  const workers: { stop(): Promise<void> }[] = []

  return {
    url,
    /** Both may be changed while it runs. */
    deployment,
    oauth,
    db,
    clock,
    databaseUrl: database.url,
    /** By the role that owns the schema. */
    ownerUrl: database.ownerUrl,
    /** A workspace of this test's own, with a member, accounts, a product, a company and an agent; and its caller. */
    async workspace(details: Partial<Given> = {}) {
      const workspace = await givenWorkspace(db, clock.now(), details)
      const token = await tokenFor(db, workspace.id, workspace.member, allScopes)
      return {
        ...workspace,
        token,
        call: caller(url, token),
        tokenWith: (scopes: Scope[]) => tokenFor(db, workspace.id, workspace.member, scopes),
      }
    },
    /** A token of the administration, which sees one workspace or, by default, all; and its caller. */
    async administration({
      workspace = null,
      scopes = allAdminScopes,
      client = 'Product',
    }: {
      workspace?: string | null
      scopes?: AdminScope[]
      client?: string
    } = {}) {
      const { token } = await createAdminToken(db, { workspace, client, scopes })
      return { token, call: adminCaller(url, token) }
    },
    /**
     * Starts relay and worker; `deps` replaces what the test wants to control. On the same `taskQueue` one goes on for another. A
     * queue that is not among `only` costs nothing, and what is put into it waits.
     */
    async work(
      context?: Context,
      deps: Partial<Deps> = {},
      {
        taskQueue = `test-${randomUUID()}`,
        only,
      }: { taskQueue?: string; only?: readonly Queue[] } = {},
    ) {
      const temporal = await testTemporal(context)
      const starting = runWorker({
        only,
        schedules: false,
        deps: {
          db,
          clock,
          log,
          secretKey,
          publicUrl: url,
          webhookAllowPrivate,
          crash: () => {},
          ...deps,
        },
        databaseUrl: database.url,
        connection: { address: temporal.address },
        namespace: temporal.namespace,
        taskQueue,
        bundle: await bundle(),
      })
      const worker = await waited('workers', starting)
      workers.push(worker)
      return worker
    },
    async close() {
      await waited('workers', Promise.all(workers.map((worker) => worker.stop())))
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await events.close()
      await answers.close()
      await db.destroy()
      await database.drop()
    },
  }
}

let shared: Promise<TestService> | undefined

/**
 * The service of this process with its worker, which no suite closes: for those that set no clock, replace no dependency, and look
 * at their own workspaces alone. Starting one takes a second, and others of the process may be at work in it. Its clock has gone on
 * since the process began with it, by half an hour at most.
 */
export async function sharedService(context?: Context): Promise<SharedService> {
  // Asked first, because a server that is missing makes each suite pending.
  await testTemporal(context)
  shared ??= startShared()
  return shared
}
export type SharedService = Omit<TestService, 'close' | 'work' | 'clock'> & { clock: Clock }

async function startShared() {
  const service = await startService()
  await service.work()
  atExit(service.close)
  return service
}

Runtime.install({
  logger: new DefaultLogger(process.env['TEST_LOG'] ? 'WARN' : 'ERROR'),
  shutdownSignals: [],
})

let bundled: Promise<WorkflowBundle> | undefined
/** The workflows, bundled once a run. */
export const bundle = () => (bundled ??= givenBundle() ?? waited('workers', bundleWorkflows()))

const givenBundle = () =>
  given && readFile(given.bundle, 'utf8').then((code): WorkflowBundle => ({ code }))

const tokenFor = async (db: Db, workspace: string, member: string, scopes: Scope[]) =>
  (await createToken(db, { workspace, member, client: 'tests', scopes })).token

export type Caller = ReturnType<typeof caller>

/** Calls below /api/v1 with a token; changes get a fresh key unless one is given (null sends none). */
export const caller = (url: string, token: string) => callerBelow(`${url}/api/v1`, token)

/** The same below /admin/v1. */
export const adminCaller = (url: string, token: string) => callerBelow(`${url}/admin/v1`, token)

const callerBelow =
  (base: string, token: string) =>
  async (
    method: string,
    path: string,
    body?: unknown,
    options: CallOptions = {},
  ): Promise<Reply> => {
    const key = options.key === undefined && method !== 'GET' ? randomUUID() : options.key
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${options.token ?? token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
        ...options.headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, text, body: parsed(text), headers: response.headers }
  }

const parsed = (text: string) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Asks until the answer is `ready`, for at most `ms`; then returns it, or fails with the last answer. */
export async function eventually<T>(
  ask: () => Promise<T>,
  ready: (value: T) => boolean,
  ms = 15_000,
): Promise<T> {
  const end = Date.now() + ms
  // Asking costs as much as what is waited for: whoever waits for long asks less often.
  for (let pauseMs = 25; ; pauseMs = Math.min(1.3 * pauseMs, 250)) {
    const value = await ask()
    if (ready(value)) return value
    if (Date.now() > end)
      throw new Error(`Not within ${ms} ms; the last was ${JSON.stringify(value)}`)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

/** Asks until the answer is the one that is wanted. */
export const comesTo = <T>(ask: () => T | Promise<T>, wanted: T, ms?: number) =>
  eventually(
    async () => ask(),
    (now) => now === wanted,
    ms,
  )

/** Asks until a number is as large as this, or larger. */
export const reaches = (ask: () => number | Promise<number>, least: number, ms?: number) =>
  eventually(
    async () => ask(),
    (now) => now >= least,
    ms,
  )
