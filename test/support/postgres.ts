import { randomBytes } from 'node:crypto'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { migrateToLatest } from '../../db/migrate.ts'
import { notice } from '../../dev/operator/progress.ts'
import { openLog } from '../../dev/stack/logs.ts'
import { onFreePort } from '../../dev/stack/ports.ts'
import { type Postgres, startPostgres, withClient } from '../../dev/stack/postgres.ts'
import { ownerRole, prepareDatabase, serviceRole } from '../../dev/stack/roles.ts'
import { atEnd, runFolder } from './hooks.ts'
import { readCatalogue } from './isolation/catalogue.ts'
import { watch } from './isolation/record.ts'
import { watchTransactions } from './second-connection.ts'

/** `url` is of the plain role that api and worker connect as, `ownerUrl` of the one that owns the schema. */
export type TestDatabase = { url: string; ownerUrl: string; drop: () => Promise<void> }

const template = 'postroom_template'
const password = randomBytes(12).toString('hex')
/** Of the two roles, which all databases of the server share. */
export const passwords = { owner: password, service: password }
let server: Promise<Postgres> | undefined
let databases = 0

/** The run's own Postgres, real but without durability. Tests may `kill` it: it restarts. */
export function testPostgres(): Promise<Postgres> {
  server ??= start()
  return server
}

/** A new migrated database for the caller, copied from a template in some 50 ms. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const postgres = await testPostgres()
  const name = `test_${++databases}`
  const admin = (sql: string) => withClient(postgres.url('postgres'), (client) => client.query(sql))
  await admin(`create database ${name} template ${template} owner ${ownerRole}`)
  await admin(`revoke temporary on database ${name} from public`)
  return {
    url: postgres.url(name, { name: serviceRole, password }),
    ownerUrl: postgres.url(name, { name: ownerRole, password }),
    drop: async () => void (await admin(`drop database if exists ${name} with (force)`)),
  }
}

async function start(): Promise<Postgres> {
  const folder = runFolder()
  chmodSync(folder, 0o755)
  const options = {
    folder: join(folder, 'postgres'),
    password,
    durable: false,
    log: openLog(join(folder, 'logs', 'postgres.log'), 'postgres', notice),
    say: notice,
  }
  const postgres = await onFreePort((port) => startPostgres({ ...options, port }))
  atEnd(postgres.stop)
  const { ownerUrl } = await prepareDatabase(postgres, template, passwords)
  await migrateToLatest(ownerUrl, serviceRole)
  await watch(await readCatalogue(ownerUrl))
  watchTransactions()
  return postgres
}
