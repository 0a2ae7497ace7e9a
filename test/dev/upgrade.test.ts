import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { openDatabase } from '../../db/database.ts'
import { migrateToLatest, newestMigration } from '../../db/migrate.ts'
import * as domainsInUnicode from '../../db/migrations/0042-domains-in-unicode.ts'
import * as cleanAddresses from '../../db/migrations/0051-clean-addresses.ts'
import { withClient } from '../../dev/stack/postgres.ts'
import { serviceRole } from '../../dev/stack/roles.ts'
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
  it('is not ready, and says what is missing', async () => {
    const service = await startService()
    try {
      await withClient(service.ownerUrl, (client) =>
        client.query(`delete from kysely_migration where name = '${newestMigration}'`),
      )
      const answer = await fetch(`${service.url}/readyz`)
      deepEqual([answer.status, ((await answer.json()) as Readiness).schema], [503, 'behind'])
    } finally {
      await service.close()
    }
  })
})

const csv = { name: 'p.csv', content: Buffer.from('email\na@x.test\n').toString('base64') }

const formerly = [
  {
    kept: 'with their domain in ASCII',
    migration: domainsInUnicode,
    now: ['ann@müller.example', 'c@müller.example'],
    was: ['ann@xn--mller-kva.example', 'c@xn--mller-kva.example'],
  },
  {
    kept: 'with signs that are no part of them',
    migration: cleanAddresses,
    now: ['ann@x.example', 'cleo@x.example'],
    was: ['a\u00adnn\u200b@x.example', "'ｃleo@x.example"],
  },
]

for (const { kept, migration, now, was } of formerly)
  describe(`addresses that were kept ${kept}`, () => {
    it('are kept without after the upgrade, each once', async () => {
      const service = await startService()
      const run = (text: string, values: unknown[]) =>
        withClient(service.ownerUrl, (client) => client.query(text, values))
      try {
        const { id, call } = await service.workspace()
        const [ann = '', cleo = ''] = now
        const [oldAnn = '', oldCleo = ''] = was
        const both = (await call('POST', '/people', { email: ann, name: 'Ann' })).body.id
        const other = (await call('POST', '/people', { email: 'b@x.test', name: 'Bob' })).body.id
        const only = (await call('POST', '/people', { email: 'c@x.test', name: 'Cleo' })).body.id
        for (const [address, reason] of [
          [ann, 'bounce'],
          [oldAnn, 'bounce'],
          [oldAnn, 'operator'],
        ])
          await run(
            `insert into suppressions (id, workspace, address, reason, at) values ($1, $2, $3, $4, now())`,
            [randomUUID(), id, address, reason],
          )
        await run(
          `insert into addresses (workspace, kind, value, given, person, position)
            values ($1, 'email', $2, $2, $3, 1)`,
          [id, oldAnn, other],
        )
        await run('update addresses set value = $1, given = $1 where person = $2', [oldCleo, only])
        const owner = openDatabase(service.ownerUrl, 1)
        await migration.up(owner as unknown as Kysely<unknown>).finally(() => owner.destroy())
        const emails = async (person: string) =>
          (await call('GET', `/people/${person}`)).body.emails
        deepEqual(
          [await emails(both), await emails(other), await emails(only)],
          [[ann], ['b@x.test'], [cleo]],
        )
        const { suppressions } = (await call('GET', '/suppressions')).body
        deepEqual(
          suppressions
            .map((one: { address: string; reason: string }) => [one.address, one.reason])
            .sort(),
          [
            [ann, 'bounce'],
            [ann, 'operator'],
          ],
        )
      } finally {
        await service.close()
      }
    })
  })
