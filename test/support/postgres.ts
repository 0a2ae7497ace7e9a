import {
  ownerRole,
  type Postgres,
  serviceRole,
  urlsOf,
  withClient,
} from '../../dev/stack/postgres.ts'
import { fillAtSize } from '../bench/size-rows.ts'
import { given, type PostgresServer, startTestPostgres, template } from '../runner/servers.ts'
import { waited } from '../runner/waits.ts'
import { atEnd, atEndOfFile, atExit, runFolder } from './hooks.ts'
import { readCatalogue } from './isolation/catalogue.ts'
import { watch } from './isolation/record.ts'
import { takeWholeReads } from './plans/check.ts'
import { watchTransactions } from './second-connection.ts'

/** `url` is of the plain role that api and worker connect as, `ownerUrl` of the one that owns the schema. */
export type TestDatabase = { url: string; ownerUrl: string; drop: () => Promise<void> }

type TestPostgres = PostgresServer & Pick<Postgres, 'url'>

let server: Promise<TestPostgres> | undefined
let databases = 0
let watching: Promise<void> | undefined

/** The Postgres of the run, real but without durability. */
export function testPostgres(): Promise<TestPostgres> {
  server ??= given
    ? Promise.resolve({ ...given.postgres, url: urlsOf(given.postgres) })
    : waited('servers', startPostgres(atExit))
  return server
}

/** One of the caller's own, which it may `kill`: it restarts. */
export const ownPostgres = () => startPostgres(atEnd)

async function startPostgres(whenOver: typeof atEnd) {
  const { server, at } = await startTestPostgres(runFolder())
  whenOver(server.stop)
  return { ...server, ...at }
}

/** A new migrated database for the caller, copied from a template in some 50 ms. */
export async function createTestDatabase(on?: TestPostgres): Promise<TestDatabase> {
  const { url, password } = on ?? (await testPostgres())
  const name = `test_${process.pid}_${++databases}`
  const admin = (sql: string) => withClient(url('postgres'), (client) => client.query(sql))
  await admin(`create database ${name} template ${template} owner ${ownerRole}`)
  await admin(`revoke temporary on database ${name} from public`)
  const ownerUrl = url(name, { name: ownerRole, password })
  // Nobody may look at the template itself while it is copied.
  watching ??= readCatalogue(ownerUrl).then(watch).then(watchPlans)
  await watching
  watchTransactions()
  return {
    url: url(name, { name: serviceRole, password }),
    ownerUrl,
    drop: async () => void (await admin(`drop database if exists ${name} with (force)`)),
  }
}

/** The plans of a file's statements are read when it is done, in a database of their own that has some rows. */
function watchPlans() {
  let planned: Promise<TestDatabase> | undefined
  const fill = async () => {
    const database = await createTestDatabase()
    atExit(database.drop)
    const { url } = await testPostgres()
    await fillAtSize({ url: url(new URL(database.url).pathname.slice(1)), scale: 0.001 })
    return database
  }
  atEndOfFile(async () => {
    const wrong = await takeWholeReads(async () => {
      planned ??= fill()
      return (await planned).ownerUrl
    })
    const what =
      'Statements that read a large table from end to end (plans/exceptions.ts has what may):'
    return wrong.length === 0 ? [] : [[what, ...wrong].join('\n\n')]
  })
}
