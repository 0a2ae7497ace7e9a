import { equal, match, ok, rejects } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { isUnavailable, openDatabase } from '../../../db/database.ts'
import { createTestDatabase, ownPostgres } from '../../support/postgres.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

describe('while Postgres goes away', () => {
  let service: TestService
  let postgres: Awaited<ReturnType<typeof ownPostgres>>
  before(async () => {
    postgres = await ownPostgres()
    service = await startService({ databaseUrl: (await createTestDatabase(postgres)).url })
  })
  after(() => service.close())

  it('a connection lost between two queries of a transaction fails only the next query', async () => {
    const db = openDatabase(service.databaseUrl, 2)
    const lost = db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db)
      await new Promise((resolve) => setTimeout(resolve, 200))
      await sql`select 1`.execute(trx)
    })
    await rejects(lost, (error) => isUnavailable(error))
    await sql`select 1`.execute(db)
    await db.destroy()
  })

  it('calls are answered 503, and a repeat with the same key is carried out once', async function () {
    this.timeout(60_000)
    const { call } = await service.workspace()
    const seen = new Set<number>()
    let going = true
    const callers = Array.from({ length: 6 }, async (_, i) => {
      for (let n = 0; going; n++) {
        const key = randomUUID()
        const ask = () => call('POST', '/campaigns', { goal: `Goal ${i} ${n}` }, { key })
        const { status, body, headers } = await eventually(
          ask,
          (reply) => {
            seen.add(reply.status)
            if (reply.status !== 200) {
              equal(`${reply.status} ${reply.body.code}`, '503 unavailable')
              equal(reply.body.retryable, true)
              match(reply.headers.get('retry-after') ?? '', /^\d+$/)
            }
            return reply.status === 200
          },
          40_000,
        )
        equal(status, 200)
        ok(body.id && headers.get('x-request-id'))
      }
    })
    // The Postgres of the tests does not wait for the disk: what was committed within the last 600 ms may be lost with it.
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    postgres.kill()
    await eventually(async () => seen.has(503), Boolean)
    // Each ends with a call that is carried out: Postgres is back.
    going = false
    await Promise.all(callers)
    // However often a call was repeated, it was carried out once.
    const goals = await service.db.selectFrom('campaigns').select('goal').execute()
    equal(new Set(goals.map(({ goal }) => goal)).size, goals.length)
  })
})
