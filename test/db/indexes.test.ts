import { deepEqual, equal } from 'node:assert/strict'
import { migrateToLatest } from '../../db/migrate.ts'
import { steps } from '../../db/migrations/index.ts'
import { serviceRole, withClient } from '../../dev/stack/postgres.ts'
import { createTestDatabase, type TestDatabase, testPostgres } from '../support/postgres.ts'

describe('indexes that migrations add', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await createTestDatabase()
  })
  afterEach(() => database.drop())

  const name = 'people_by_city'
  const later = {
    ...steps,
    '0901-later': { up: async () => {}, indexes: [{ name, on: 'people (workspace, city)' }] },
  }
  const asOwner = (sql: string) => withClient(database.ownerUrl, (client) => client.query(sql))
  const isValid = async () => {
    const { rows } = await asOwner(
      `select indisvalid from pg_index where indexrelid = to_regclass('${name}')`,
    )
    return rows[0]?.indisvalid
  }
  async function migrate() {
    const said: string[] = []
    await migrateToLatest(database.ownerUrl, serviceRole, (line) => said.push(line), {
      steps: later,
    })
    return said
  }

  it('are built after them, and stay as they are', async () => {
    deepEqual(await migrate(), ['0901-later: Success', `index ${name}: Success`])
    equal(await isValid(), true)
    deepEqual(await migrate(), [])
  })

  it('are built again when one is missing', async () => {
    await migrate()
    await asOwner(`drop index ${name}`)
    deepEqual(await migrate(), [`index ${name}: Success`])
    equal(await isValid(), true)
  })

  it('may be unique', async () => {
    const unique = { name: 'people_by_name_once', on: 'people (workspace, name)', unique: true }
    const migrations = { ...steps, '0901-later': { up: async () => {}, indexes: [unique] } }
    await migrateToLatest(database.ownerUrl, serviceRole, undefined, { steps: migrations })
    const { rows } = await asOwner(
      `select indisunique from pg_index where indexrelid = '${unique.name}'::regclass`,
    )
    deepEqual(rows, [{ indisunique: true }])
  })

  it('are built again when building one was interrupted', async () => {
    await migrate()
    const url = (await testPostgres()).url(new URL(database.url).pathname.slice(1))
    await withClient(url, (client) =>
      client.query(`update pg_index set indisvalid = false where indexrelid = '${name}'::regclass`),
    )
    deepEqual(await migrate(), [`index ${name}: Success`])
    equal(await isValid(), true)
  })

  it('are built once by two runs at the same time', async () => {
    await migrate()
    await asOwner(`drop index ${name}`)
    const said = await Promise.all([migrate(), migrate()])
    deepEqual(said.flat(), [`index ${name}: Success`])
  })
})
