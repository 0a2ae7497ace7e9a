import { deepEqual, equal, ok } from 'node:assert/strict'
import { sql } from 'kysely'
import { startService, type TestService } from '../../support/service.ts'

// Edits that demand what their caller has read, beside calls that bring the same people: each takes its locks in the same order.

const people = 12
const rounds = 6

describe('PATCH /people/{id} with If-Match, beside POST /people/bulk', function () {
  this.timeout(120_000)
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  /** How many transactions of this database Postgres has ended because they waited for each other. */
  async function deadlocks() {
    // Each connection reports what it has counted.
    await Promise.all(
      Array.from({ length: 40 }, () =>
        sql`select pg_stat_force_next_flush(), pg_sleep(0.05)`.execute(service.db),
      ),
    )
    const { rows } = await sql<{ deadlocks: number }>`
      select deadlocks::int from pg_stat_database where datname = current_database()`.execute(
      service.db,
    )
    return rows[0]?.deadlocks
  }

  it('never waits for one that waits for it', async () => {
    const { call } = await service.workspace()
    const emails = Array.from({ length: people }, (_, i) => `p${i}@client.example`)
    const bring = (city: string) =>
      call('POST', '/people/bulk', { people: emails.map((email) => ({ email, city })) })
    const { body } = await bring('Bonn')
    const ids = body.results.map(({ person }: { person: string }) => person)
    const statuses: Record<number, number> = {}
    for (let round = 0; round < rounds; round++) {
      const edits = ids.map(async (id: string, i: number) => {
        const read = await call('GET', `/people/${id}`)
        const more = { headers: { 'if-match': read.headers.get('etag') ?? '' } }
        const edit = { emails: [emails[i], `more${round}-${i}@client.example`] }
        const { status } = await call('PATCH', `/people/${id}`, edit, more)
        statuses[status] = (statuses[status] ?? 0) + 1
      })
      const brought = Array.from({ length: 4 }, (_, i) => bring(`City ${round} ${i}`))
      await Promise.all(edits)
      for (const { status, text } of await Promise.all(brought)) equal(status, 200, text)
    }
    // Who has read what is not so any more is told.
    deepEqual(
      Object.keys(statuses).filter((status) => status !== '200' && status !== '412'),
      [],
    )
    ok((statuses[200] ?? 0) > 0)
    equal(await deadlocks(), 0)
  })
})
