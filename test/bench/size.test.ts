import { deepEqual, equal } from 'node:assert/strict'
import { withClient } from '../../dev/stack/postgres.ts'
import { createTestDatabase, type TestDatabase, testPostgres } from '../support/postgres.ts'
import { fillAtSize, first } from './size-rows.ts'

// What is filled in by SQL past all triggers and references is what the service could have written.

describe('a database that is filled at size', () => {
  let database: TestDatabase
  let url: string
  before(async function () {
    this.timeout(120_000)
    database = await createTestDatabase()
    url = (await testPostgres()).url(new URL(database.url).pathname.slice(1))
    const before = await indexes()
    await fillAtSize({ url, scale: 0.0005 })
    deepEqual(await indexes(), before)
  })
  after(() => database.drop())

  const rowsOf = <T>(sql: string) =>
    withClient(url, async (client) => (await client.query(sql)).rows as T[])
  const indexes = () =>
    rowsOf(`select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1`)

  it('has everything that its rows refer to', async () => {
    const references = await rowsOf<{ name: string; lost: string }>(`
      select c.conname as name, format('select from %s r where r.%I is not null and not exists (select from %s o where o.%I = r.%I)',
        c.conrelid::regclass, a.attname, c.confrelid::regclass, b.attname, a.attname) as lost
      from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
        join pg_attribute b on b.attrelid = c.confrelid and b.attnum = c.confkey[1]
      where c.contype = 'f' and array_length(c.conkey, 1) = 1`)
    for (const { name, lost } of references) equal((await rowsOf(lost)).length, 0, name)
  })

  it('holds to its conditions', async () => {
    for (const { table, condition } of await rowsOf<{ table: string; condition: string }>(`
      select conrelid::regclass::text as table, pg_get_expr(conbin, conrelid) as condition from pg_constraint
      where contype = 'c' and connamespace = 'public'::regnamespace`))
      equal((await rowsOf(`select from ${table} where not (${condition})`)).length, 0, condition)
  })

  it('has all people of its first workspace in one segment', async () => {
    const [counted] = await rowsOf(`
      select (select count(*)::int from people where workspace = '${first.workspace}') as people,
        (select count(*)::int from segment_people where segment = '${first.segment}') as members`)
    deepEqual(counted, { people: 500, members: 500 })
  })

  it('finds the words of everything', async () => {
    const [{ found } = { found: 0 }] = await rowsOf<{ found: number }>(`
      select count(*)::int as found from search_words w join people p on p.id = w.ref
      where w.kind = 'person' and w.words = search_person_words(p)`)
    equal(found, 600)
  })
})
