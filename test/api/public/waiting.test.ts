import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { openDatabase, type Trx } from '../../../db/database.ts'
import { claimKey, operationId } from '../../../db/operations/operations.ts'
import {
  type Caller,
  caller,
  eventually,
  type Reply,
  startService,
  type TestService,
} from '../../support/service.ts'
import { partsOf, rowOf, zipPacked } from '../../support/workbooks.ts'

// A call that waits for another call under the same key, or for a file to be read, holds no connection to the database, and
// only a limited number may wait.

/** Long enough for a call to get to where it waits. */
const moment = () => new Promise((resolve) => setTimeout(resolve, 300))
const short = { patience: { turnMs: 1_500 }, lockMs: 1_500 }

const times = <T>(n: number, make: (i: number) => T) => Array.from({ length: n }, (_, i) => make(i))

describe('a call that waits', function () {
  this.timeout(120_000)
  let service: TestService
  let other: TestService
  let watch: ReturnType<typeof openDatabase>
  before(async () => {
    service = await startService()
    other = await startService({ databaseUrl: service.databaseUrl })
    watch = openDatabase(service.databaseUrl, 2)
  })
  // A test that fails must not leave a row locked.
  const releases: (() => void)[] = []
  afterEach(() => {
    for (const release of releases.splice(0)) release()
  })
  after(async () => {
    await watch.destroy()
    await other.close()
    await service.close()
  })

  /** The most connections that kept a transaction open at once, idle or waiting for a lock, while `work` went on. */
  async function mostTransactions<T>(work: Promise<T>): Promise<[T, number]> {
    let most = 0
    let going = true
    const looking = (async () => {
      while (going) {
        const { rows } = await sql<{ n: number }>`
          select count(*)::int as n from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()
            and (state = 'idle in transaction' or wait_event_type = 'Lock')
            and xact_start < clock_timestamp() - interval '50 milliseconds'`.execute(watch)
        most = Math.max(most, rows[0]?.n ?? 0)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    })()
    const done = await work.finally(() => {
      going = false
    })
    await looking
    return [done, most]
  }

  /** A lock on the workspace's row, which a change of it waits for. */
  const lockedRow = (workspace: string) =>
    locked((trx) => sql`select from workspaces where id = ${workspace} for update`.execute(trx))

  /** A transaction that holds what `take` takes, until the returned function is called. */
  async function locked(take: (trx: Trx) => Promise<unknown>) {
    const release = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    releases.push(release.resolve)
    const ended = watch.transaction().execute(async (trx) => {
      await take(trx)
      locked.resolve()
      await release.promise
    })
    await locked.promise
    return () => {
      release.resolve()
      return ended
    }
  }
  const replayed = (reply: { headers: Headers }) => reply.headers.get('idempotent-replayed')

  describe('for another call under the same key', () => {
    it('holds no connection, in this process and in another one, and gets its answer', async () => {
      const { id, call, token } = await service.workspace()
      const theirs = await service.workspace()
      const release = await lockedRow(id)
      const key = randomUUID()
      const change = (from: Caller) => from('PATCH', '/workspace', { tagging: true }, { key })
      const first = change(call)
      await moment()
      const elsewhere = caller(other.url, token)
      const equals = [...times(60, () => change(call)), ...times(20, () => change(elsewhere))]
      const reads = (async () => {
        await moment()
        const answers = await Promise.all(times(20, () => theirs.call('GET', '/people')))
        await moment()
        return answers.map(({ status }) => status)
      })()
      const [statuses, most] = await mostTransactions(reads)
      deepEqual([...new Set(statuses)], [200])
      // The lock of this test, the first call, and one that checks whether it may proceed.
      ok(most <= 3, `${most} transactions of eighty calls were open`)
      await release()
      const replies = await Promise.all([first, ...equals])
      deepEqual([...new Set(replies.map(({ status }) => status))], [200])
      equal(new Set(replies.map(({ text }) => text)).size, 1)
      equal(replies.filter((reply) => replayed(reply) === null).length, 1)
    })

    it('is refused with a retry time when a hundred wait, or another request has the key', async () => {
      const { id, call } = await service.workspace()
      const release = await lockedRow(id)
      const key = randomUUID()
      const change = (tagging: boolean) => call('PATCH', '/workspace', { tagging }, { key })
      const first = change(true)
      await moment()
      const stranger = change(false)
      await moment()
      const answered: Reply[] = []
      const equals = times(104, () => change(true).then((reply) => answered.push(reply)))
      const refused = await eventually(
        async () => [...answered],
        ({ length }) => length >= 5,
      )
      for (const reply of refused) {
        equal(`${reply.status} ${reply.body.code}`, '409 idempotency_in_progress')
        match(reply.headers.get('retry-after') ?? '', /^\d+$/)
      }
      await release()
      await Promise.all(equals)
      const replies = [await first, ...answered.slice(refused.length)]
      equal(`${refused.length} ${replies.length}`, '5 100')
      deepEqual([...new Set(replies.map(({ status }) => status))], [200])
      equal((await stranger).body.code, 'idempotency_key_reused')
    })

    it('is refused so after its time, also where another process carries that one out', async () => {
      const hasty = await startService({ ...short, databaseUrl: service.databaseUrl })
      const { id, token } = await service.workspace()
      const call = caller(hasty.url, token)
      const release = await lockedRow(id)
      const key = randomUUID()
      const body = { tagging: true }
      // It waits for the row as long as the others wait for it: they began a little later, so they are answered after it.
      const first = call('PATCH', '/workspace', body, { key })
      await moment()
      const others = times(2, () => call('PATCH', '/workspace', body, { key }))
      const statuses = (await Promise.all([first, ...others])).map(({ status }) => status)
      deepEqual(statuses, [409, 409, 409])
      await release()
      equal((await call('PATCH', '/workspace', body, { key })).status, 200)

      const elsewhere = randomUUID()
      const free = await locked((trx) => claimKey(trx, operationId(id, elsewhere)))
      const reply = await call('PATCH', '/workspace', body, { key: elsewhere })
      equal(`${reply.status} ${reply.body.code}`, '409 idempotency_in_progress')
      await free()
      equal((await call('PATCH', '/workspace', body, { key: elsewhere })).status, 200)
      await hasty.close()
    })
  })

  describe('for a file to be read', () => {
    // A small body that takes a while to read.
    const rows = times(5_000, (i) => rowOf(i + 1, [`Person ${i}`, `p${i % 500}@import.example`]))
    const content = zipPacked(partsOf([rows.join('')])).toString('base64')
    const plan = (call: Caller, key: string | null = null) =>
      call('POST', '/people/import', { file: { name: 'p.xlsx', content } }, { key })

    it('holds no connection, and most of sixty-four from one workspace are asked to retry', async () => {
      const { call } = await service.workspace()
      const theirs = await service.workspace()
      const plans = Promise.all(times(64, () => plan(call)))
      const reads = (async () => {
        const statuses: number[] = []
        for (let i = 0; i < 20; i++) {
          statuses.push((await theirs.call('GET', '/people')).status)
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
        // Another workspace's file gets its turn beside theirs.
        statuses.push((await plan(theirs.call)).status)
        return statuses
      })()
      const [statuses, most] = await mostTransactions(reads)
      deepEqual([...new Set(statuses)], [200])
      ok(most <= 3, `${most} transactions were open`)
      const replies = await plans
      const refused = replies.filter(({ status }) => status !== 200)
      ok(refused.length >= 40 && refused.length < 64, `${refused.length} were refused`)
      for (const reply of refused) {
        equal(`${reply.status} ${reply.body.code}`, '503 unavailable')
        match(reply.headers.get('retry-after') ?? '', /^\d+$/)
        equal(reply.body.retryable, true)
      }
    })

    it('has the file read once for all calls with the same key', async () => {
      const { call } = await service.workspace()
      const key = randomUUID()
      const replies = await Promise.all(times(20, () => plan(call, key)))
      deepEqual([...new Set(replies.map(({ status }) => status))], [200])
      equal(new Set(replies.map(({ text }) => text)).size, 1)
      equal(replies.filter((reply) => replayed(reply) === null).length, 1)
    })

    it('stores a refusal under its key, like any outcome', async () => {
      const { call } = await service.workspace()
      const key = randomUUID()
      const file = { name: 'p.xlsx', content: Buffer.from('PK\x03\x04').toString('base64') }
      const first = await call('POST', '/people/import', { file }, { key })
      equal(`${first.status} ${first.body.code}`, '422 unreadable_file')
      const again = await call('POST', '/people/import', { file }, { key })
      deepEqual([again.text, replayed(again)], [first.text, 'true'])
    })
  })
})
