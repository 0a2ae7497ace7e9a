import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Info } from '@temporalio/activity'
import { sql } from 'kysely'
import { safeFailuresOf } from '../../activities/common/failures.ts'
import { type Db, isUnavailable, openDatabase, retrying, takeLong } from '../../db/database.ts'
import { limits, type Work } from '../../db/limits.ts'
import { createLog } from '../../process/telemetry/log.ts'
import { openWay } from '../support/black-hole.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'
import { startService } from '../support/service.ts'

const settings = [
  ...['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'],
  ...['tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count'],
  'tcp_user_timeout',
]

// Of whoever holds a lock for others to wait for.
const patient = { idleMs: 600_000 }

describe('The connections of a pool', function () {
  this.timeout(60_000)
  let database: TestDatabase
  const pools: Db[] = []
  const open = (...[work, more = {}]: [Work, object?]) => {
    const db = openDatabase(database.url, 2, { work, connectMs: 30_000, ...more })
    pools.push(db)
    return db
  }
  before(async () => {
    database = await createTestDatabase()
  })
  after(async () => {
    await Promise.all(pools.map((db) => db.destroy()))
    await database.drop()
  })

  async function settingsIn(db: Db) {
    const { rows } = await sql<{ name: string; setting: string }>`
      select name, setting from pg_settings where name = any(${settings})`.execute(db)
    return Object.fromEntries(rows.map(({ name, setting }) => [name, Number(setting)]))
  }

  it('say to Postgres how long statements, locks and idle transactions may take, and ask whether it is there', async () => {
    for (const [work, { statementMs, lockMs }] of Object.entries(limits))
      deepEqual(
        await settingsIn(open(work as Work)),
        {
          statement_timeout: statementMs,
          lock_timeout: lockMs,
          idle_in_transaction_session_timeout: 20_000,
          tcp_keepalives_idle: 20,
          tcp_keepalives_interval: 5,
          tcp_keepalives_count: 4,
          tcp_user_timeout: 40_000,
        },
        work,
      )
  })

  it('let a transaction take minutes where that is known, and the next one only as long as usual', async () => {
    const db = open('activities', { max: 1 })
    await db.transaction().execute(async (trx) => {
      await takeLong(trx)
      equal((await settingsIn(trx))['statement_timeout'], 300_000)
    })
    equal((await settingsIn(db))['statement_timeout'], limits.activities.statementMs)
  })

  const put = (db: Db, name: string) =>
    db
      .insertInto('settings')
      .values({ name, value: JSON.stringify(1) })
      .execute()
  const lockOf = (db: Db, name: string) =>
    db.selectFrom('settings').where('name', '=', name).select('name').forUpdate().execute()
  const local = (name: string, ms: number) => sql`select set_config(${name}, ${String(ms)}, true)`

  /** What ends a transaction from outside, after it has written something. */
  const ends: [string, (trx: Db, others: Db) => Promise<unknown>][] = [
    [
      'a statement that takes too long',
      async (trx) => {
        await local('statement_timeout', 50).execute(trx)
        await sql`select pg_sleep(20)`.execute(trx)
      },
    ],
    [
      'a wait for a lock that takes too long',
      async (trx) => {
        await local('lock_timeout', 50).execute(trx)
        await lockOf(trx, 'held')
      },
    ],
    [
      'a pause of its process',
      async (trx) => {
        await local('idle_in_transaction_session_timeout', 50).execute(trx)
        await sleep(250)
        await sql`select 1`.execute(trx)
      },
    ],
    [
      'an operator who ends its connection',
      async (trx, others) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
        await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(others)
        await sql`select 1`.execute(trx)
      },
    ],
  ]
  for (const [what, end] of ends)
    it(`are given back whole after ${what}: the work may be tried again, and is done once`, async () => {
      const [db, others] = [open('activities'), open('activities')]
      const name = randomUUID()
      await put(others, 'held').catch(() => {})
      const holding = Promise.withResolvers<void>()
      const held = Promise.withResolvers<void>()
      const holder = open('maintenance', { limits: patient })
        .transaction()
        .execute(async (trx) => {
          await lockOf(trx, 'held')
          held.resolve()
          await holding.promise
        })
      await held.promise
      let tries = 0
      const attempt = () =>
        db.transaction().execute(async (trx) => {
          await put(trx, name)
          if (tries++ === 0) await end(trx, others)
        })
      let failure: unknown
      await attempt().catch((error) => {
        failure = error
      })
      ok(isUnavailable(failure), String(failure))
      holding.resolve()
      await holder
      equal((await lockOf(others, name)).length, 0, 'nothing of it is left')
      await retrying(1, attempt)
      equal((await lockOf(others, name)).length, 1)

      // What Temporal and the log learn of it.
      const safe = safeFailuresOf(createLog('test', 'silent'))({ attempt: 1 } as Info)
      await rejects(
        safe.execute?.({ args: [], headers: {} }, async () => {
          throw failure
        }) ?? Promise.resolve(),
        { type: 'database_unavailable', nonRetryable: false },
      )
    })

  it('end where the other side has gone without a word, whatever was sent to it', async () => {
    const way = await openWay(database.url)
    const db = openDatabase(way.url, 1, {
      work: 'tokens',
      connectMs: 30_000,
      limits: { silentMs: 1_000 },
    })
    await sql`select 1`.execute(db)
    // At rest, nothing ends it.
    const [{ pid } = { pid: 0 }] = (
      await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
    ).rows
    await sleep(1_500) // Longer than the silence that ends a connection with a question open.
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
    equal(rows[0]?.pid, pid)
    way.swallow()
    await rejects(sql`select 1`.execute(db), (error) => isUnavailable(error))
    // The next connection gets through.
    await sql`select 1`.execute(db)
    await db.destroy()
    await way.close()
  })
})

describe('A call that Postgres ends', function () {
  this.timeout(60_000)

  it('is answered 503 with the time of the next try, and never 500', async () => {
    const service = await startService({ lockMs: 300 })
    const room = await service.workspace()
    const blocker = openDatabase(service.ownerUrl, 1, { limits: patient })
    const over = Promise.withResolvers<void>()
    const blocked = Promise.withResolvers<void>()
    const blocking = blocker.transaction().execute(async (trx) => {
      await sql`lock table people in access exclusive mode`.execute(trx)
      blocked.resolve()
      await over.promise
    })
    await blocked.promise
    const read = await room.call('GET', '/people')
    equal(`${read.status} ${read.body.code}`, '503 unavailable')
    match(read.headers.get('retry-after') ?? '', /^\d+$/)
    over.resolve()
    await blocking
    equal((await room.call('GET', '/people')).status, 200)
    await blocker.destroy()
    await service.close()
  })
})
