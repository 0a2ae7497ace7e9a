import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleWorkflows } from '../../activities/worker/bundle.ts'
import { migrateToLatest } from '../../db/migrate.ts'
import { applyCluster } from '../../dev/operator/cluster.ts'
import { notice } from '../../dev/operator/progress.ts'
import { declared } from '../../dev/operator/temporal-declared.ts'
import { GreenMailMissing, startGreenMail } from '../../dev/stack/greenmail.ts'
import { openLog } from '../../dev/stack/logs.ts'
import { onFreePort } from '../../dev/stack/ports.ts'
import {
  type Postgres,
  prepareDatabase,
  serviceRole,
  startPostgres,
} from '../../dev/stack/postgres.ts'
import { reapFolder } from '../../dev/stack/processes.ts'
import { startTemporal, TemporalMissing } from '../../dev/stack/temporal.ts'
import { RadicaleMissing, startRadicale } from './radicale.ts'

// The servers that tests need. A run of many files starts each of them once, for all of its processes (`startServers`);
// a process that runs by itself starts what its files ask for (test/support).

/** Where the servers of a run are, as its processes are told in the variable `TEST_SERVERS`. */
export type Servers = {
  postgres: PostgresServer
  /** Absent where the server cannot be had on this machine. */
  temporal?: { address: string; namespace: string } | undefined
  mailboxes?: { smtpPort: number; imapPort: number } | undefined
  radicale?: { port: number } | undefined
  /** The file that holds the bundled workflows. */
  bundle: string
}
export type PostgresServer = {
  port: number
  /** Of the superuser and of both roles. */
  password: string
  /** The file that holds what it logs. */
  log: string
}

/** The migrated database that each test's own is copied from. */
export const template = 'postroom_template'

/** The servers that the run of this process shares, if it is part of one. */
export const given: Servers | undefined =
  process.env['TEST_SERVERS'] && JSON.parse(process.env['TEST_SERVERS'])

/** A folder that Postgres's own user may enter too, and that does not outlive this process. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'postroom-test-'))
  chmodSync(folder, 0o755)
  reapFolder(folder)
  return folder
}

/** What is thrown where a server cannot be had on this machine. */
const missing = [TemporalMissing, GreenMailMissing, RadicaleMissing]

type Closers = (() => Promise<unknown>)[]

/** A real Postgres without durability, and the template in it. `kill` restarts it. */
export async function startTestPostgres(
  folder: string,
): Promise<{ server: Postgres; at: PostgresServer }> {
  const password = randomBytes(12).toString('hex')
  const log = join(folder, 'logs', 'postgres.log')
  const options = {
    folder: join(folder, 'postgres'),
    password,
    durable: false,
    // Of several processes, each with a few services.
    connections: 500,
    log: openLog(log, 'postgres', notice),
    say: notice,
  }
  let port = 0
  const server = await onFreePort((free) => {
    port = free
    return startPostgres({ ...options, port })
  })
  const { ownerUrl } = await prepareDatabase(server, template, {
    owner: password,
    service: password,
  })
  await migrateToLatest(ownerUrl, serviceRole)
  return { server, at: { port, password, log } }
}

/** A dev server that keeps its data in memory, with everything that the service needs there. */
export async function startTestTemporal(folder: string) {
  const { namespace } = declared
  const server = await startTemporal({ folder, say: notice })
  await applyCluster({ address: server.address }, namespace, () => {})
  return { ...server, namespace }
}

/** Starts all servers at once. @throws what keeps Postgres from starting; what this machine lacks is left out. */
export async function startServers() {
  const folder = temporaryFolder()
  const closers: Closers = []
  async function unlessMissing<T extends { stop: () => Promise<void> }>(start: Promise<T>) {
    const server = await start.catch((error: unknown) => {
      if (!missing.some((one) => error instanceof one)) throw error
      notice((error as Error).message)
      return undefined
    })
    if (server) closers.push(server.stop)
    return server
  }
  const bundle = join(folder, 'workflows.js')
  const [postgres, temporal, mailboxes, radicale] = await Promise.all([
    startTestPostgres(folder),
    unlessMissing(startTestTemporal(folder)),
    unlessMissing(startGreenMail({ folder, say: () => {} })),
    unlessMissing(startRadicale(folder)),
    bundleWorkflows().then(({ code }) => writeFileSync(bundle, code)),
  ])
  closers.push(postgres.server.stop)
  const servers: Servers = {
    postgres: postgres.at,
    temporal: temporal && { address: temporal.address, namespace: temporal.namespace },
    mailboxes: mailboxes && { smtpPort: mailboxes.smtpPort, imapPort: mailboxes.imapPort },
    radicale: radicale && { port: radicale.port },
    bundle,
  }
  return {
    servers,
    async stop() {
      await Promise.all(closers.map((close) => close().catch((error) => notice(String(error)))))
      await rm(folder, { recursive: true, force: true })
    },
  }
}
