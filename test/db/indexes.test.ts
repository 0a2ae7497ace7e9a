import { deepEqual, equal } from 'node:assert/strict'
import { migrateToLatest } from '../../db/migrate.ts'
import { withClient } from '../../dev/stack/postgres.ts'
import { serviceRole } from '../../dev/stack/roles.ts'
import { createTestDatabase, type TestDatabase, testPostgres } from '../support/postgres.ts'

describe('indexes that are built after the migrations', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await createTestDatabase()
  })
  afterEach(() => database.drop())

  const name = 'conversations_listed'
  const asOwner = (sql: string) => withClient(database.ownerUrl, (client) => client.query(sql))
  const isValid = async () => {
    const { rows } = await asOwner(
      `select indisvalid from pg_index where indexrelid = to_regclass('${name}')`,
    )
    return rows[0]?.indisvalid
  }
  async function migrate() {
    const said: string[] = []
    await migrateToLatest(database.ownerUrl, serviceRole, (line) => said.push(line))
    return said
  }

  it('are there, and stay as they are', async () => {
    equal(await isValid(), true)
    deepEqual(await migrate(), [])
  })

  it('are built again when one is missing', async () => {
    await asOwner(`drop index ${name}`)
    deepEqual(await migrate(), [`index ${name}: Success`])
    equal(await isValid(), true)
  })

  it('are built again when building one was interrupted', async () => {
    const url = (await testPostgres()).url(new URL(database.url).pathname.slice(1))
    await withClient(url, (client) =>
      client.query(`update pg_index set indisvalid = false where indexrelid = '${name}'::regclass`),
    )
    deepEqual(await migrate(), [`index ${name}: Success`])
    equal(await isValid(), true)
  })

  it('are built once by two runs at the same time', async () => {
    await asOwner(`drop index ${name}`)
    const said = await Promise.all([migrate(), migrate()])
    deepEqual(said.flat(), [`index ${name}: Success`])
  })
})
