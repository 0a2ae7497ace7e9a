import { deepEqual, equal, rejects } from 'node:assert/strict'
import { sql } from 'kysely'
import { insertFound } from '../../../db/segments/found-people.ts'
import { withClient } from '../../../dev/stack/postgres.ts'
import { secretKey } from '../../support/given.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('the words of many cards', () => {
  let service: TestService
  before(async () => {
    service = await startService()
    // A trigger that writes the words of a card fails from now on.
    await withClient(service.ownerUrl, (client) =>
      client.query(`create or replace function search_put_person(of_person people) returns void language plpgsql as $$
        begin raise exception 'by a trigger'; end $$`),
    )
  })
  after(() => service.close())

  /** Cards whose words are others than those that Postgres makes of them. */
  const wrong = async (workspace: string) =>
    (
      await sql<{ name: string }>`
        select p.name from people p left join search_words w on w.kind = 'person' and w.ref = p.id
        where p.workspace = ${workspace}
          and w.words is distinct from search_person_words(p)`.execute(service.db)
    ).rows

  it('are brought by POST /people/bulk, for new cards and for changed ones', async () => {
    const { id, call } = await service.workspace()
    const people = (name: string) =>
      Array.from({ length: 300 }, (_, i) => ({
        ...{ externalId: `w-${i}`, name: `${name} ${i}`, company: i % 2 ? 'Müller & Söhne' : '' },
        emails: [`w${i}@client.example`, `${name}${i}@client.example`],
        phone: `+34 912 345 ${100 + i}`,
      }))
    for (const name of ['Ann', 'Bea']) {
      const { status, text } = await call('POST', '/people/bulk', {
        people: people(name),
        mode: 'update',
      })
      equal(status, 200, text)
      deepEqual(await wrong(id), [])
    }
    const found = (await call('GET', '/search?q=%22bea+299%22&kind=person')).body.results
    equal(found.length, 1)
    // One by one, triggers write them.
    equal((await call('POST', '/people', { email: 'one@client.example' })).status, 500)
  }).timeout(60_000)

  it('are brought where people are found', async () => {
    const { id } = await service.workspace()
    const found = Array.from({ length: 50 }, (_, i) => ({
      ...{ name: `Found ${i}`, email: `f${i % 40}@client.example`, phone: '', linkedin: '' },
      ...{ company: 'Acme', city: '', jobTitle: '' },
    }))
    const add = () =>
      service.db
        .transaction()
        .execute((trx) =>
          insertFound(
            trx,
            { workspace: id, operation: `${id}:x`, secretKey },
            found,
            service.clock.now(),
          ),
        )
    await add()
    deepEqual(await wrong(id), [])
    await rejects(
      async () =>
        await sql`update people set name = 'x' where workspace = ${id}`.execute(service.db),
      /by a trigger/,
    )
  })
})
