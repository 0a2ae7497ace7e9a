import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { migrateToLatest, newestMigration } from '../../db/migrate.ts'
import { serviceRole, withClient } from '../../dev/stack/postgres.ts'
import { startService, type TestService } from '../support/service.ts'

type Readiness = { status: string; schema: string }

const later = '9999-later'

describe('a schema that a later release has migrated', () => {
  let service: TestService
  beforeEach(async () => {
    service = await startService()
  })
  afterEach(() => service.close())

  const asOwner = (sql: string) => withClient(service.ownerUrl, (client) => client.query(sql))
  const record = (name: string) =>
    asOwner(`insert into kysely_migration (name, timestamp) values ('${name}', 'now')`)
  /** The effect of a migration that only adds. */
  async function expand() {
    await asOwner(`create table later (id text primary key, person text references people)`)
    await asOwner(`alter table people add column later text`)
    await asOwner(`alter table outbox add column later int not null default 1`)
    await record(later)
  }
  const ready = async () => {
    const answer = await fetch(`${service.url}/readyz`)
    return { status: answer.status, body: (await answer.json()) as Readiness }
  }

  it('leaves this release ready, reading and writing', async () => {
    await expand()
    const { status, body } = await ready()
    deepEqual([status, body.status, body.schema], [200, 'ok', 'ok'])
    const { call } = await service.workspace()
    const made = await call('POST', '/people', { name: 'Cleo', email: `${randomUUID()}@a.test` })
    equal(made.status, 200, made.text)
    equal((await call('GET', `/people/${made.body.id}`)).status, 200)
    equal((await call('POST', '/people/import', { file: csv, commit: true })).status, 200)
  })

  it('is left unchanged by the migrate command of this release, which says so', async () => {
    await expand()
    const said: string[] = []
    await migrateToLatest(service.ownerUrl, serviceRole, (line) => said.push(line))
    match(said.join('\n'), /a later release, which stay: 9999-later/)
    const { rows } = await asOwner(`select name from kysely_migration order by name desc limit 2`)
    deepEqual(
      rows.map(({ name }) => name),
      [later, newestMigration],
    )
  })

  it('is refused if it has an unknown migration before our newest one', async () => {
    await record('0001-somebody-else')
    await rejects(migrateToLatest(service.ownerUrl), /corrupted migrations/)
  })

  it('is refused if it lacks one of ours', async () => {
    await expand()
    await asOwner(`delete from kysely_migration where name = '${newestMigration}'`)
    await rejects(migrateToLatest(service.ownerUrl), /corrupted migrations/)
  })
})

describe('a schema that lacks the newest migration', () => {
  let service: TestService
  beforeEach(async () => {
    service = await startService()
  })
  afterEach(() => service.close())

  const isBehind = async () => {
    const answer = await fetch(`${service.url}/readyz`)
    deepEqual([answer.status, ((await answer.json()) as Readiness).schema], [503, 'behind'])
  }

  it('is not ready, and says what is missing', async () => {
    await withClient(service.ownerUrl, (client) =>
      client.query(`delete from kysely_migration where name = '${newestMigration}'`),
    )
    await isBehind()
  })

  it('is refused if it is of 0.3.0 or earlier', async () => {
    await withClient(service.ownerUrl, (client) =>
      client.query(`truncate kysely_migration;
        insert into kysely_migration (name, timestamp)
        values ('0001-foundation', ''), ('0002-files-and-lists', ''), ('0020-relay', '')`),
    )
    await isBehind()
    await rejects(migrateToLatest(service.ownerUrl), /of 0\.3\.0 or an earlier release/)
  })
})

const csv = { name: 'p.csv', content: Buffer.from('email\na@x.test\n').toString('base64') }
