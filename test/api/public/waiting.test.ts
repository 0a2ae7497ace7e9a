import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { openDatabase } from '../../../db/database.ts'
import { type Caller, startService, type TestService } from '../../support/service.ts'
import { partsOf, rowOf, zipPacked } from '../../support/workbooks.ts'

// A call that waits for another call under the same key, or for a file to be read, holds no connection to the database, and
// only a limited number may wait.

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
  async function lockedRow(workspace: string) {
    const release = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    releases.push(release.resolve)
    const ended = watch.transaction().execute(async (trx) => {
      await sql`select from workspaces where id = ${workspace} for update`.execute(trx)
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
      const change = (from: Caller | 'elsewhere') =>
        from === 'elsewhere'
          ? fetch(`${other.url}/api/v1/workspace`, {
              method: 'PATCH',
              headers: {
                authorization: `Bearer ${token}`,
                'idempotency-key': key,
                'content-type': 'application/json',
              },
              body: '{"tagging":true}',
            }).then(async (r) => ({ status: r.status, headers: r.headers, text: await r.text() }))
          : from('PATCH', '/workspace', { tagging: true }, { key })
      const first = change(call)
      await new Promise((resolve) => setTimeout(resolve, 500))
      const equals = [...times(60, () => change(call)), ...times(20, () => change('elsewhere'))]
      const reads = (async () => {
        await new Promise((resolve) => setTimeout(resolve, 1000))
        const answers = await Promise.all(times(20, () => theirs.call('GET', '/people')))
        await new Promise((resolve) => setTimeout(resolve, 1000))
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
      await new Promise((resolve) => setTimeout(resolve, 500))
      const waiting = times(99, () => change(true))
      const stranger = change(false)
      await new Promise((resolve) => setTimeout(resolve, 2000))
      for (const reply of await Promise.all(times(5, () => change(true)))) {
        equal(`${reply.status} ${reply.body.code}`, '409 idempotency_in_progress')
        match(reply.headers.get('retry-after') ?? '', /^\d+$/)
      }
      await release()
      const replies = await Promise.all([first, ...waiting])
      deepEqual([...new Set(replies.map(({ status }) => status))], [200])
      equal((await stranger).body.code, 'idempotency_key_reused')
    })

    it('is refused so after 25 seconds, whatever holds the key', async () => {
      const { id, call, token } = await service.workspace()
      const release = await lockedRow(id)
      const key = randomUUID()
      const body = { tagging: true }
      // It waits for the row as long as the others wait for it: they began a little later, so they are answered after it.
      const first = call('PATCH', '/workspace', body, { key })
      await new Promise((resolve) => setTimeout(resolve, 300))
      const here = call('PATCH', '/workspace', body, { key })
      const there = fetch(`${other.url}/api/v1/workspace`, {
        method: 'PATCH',
        headers: {
          authorization: `Bearer ${token}`,
          'idempotency-key': key,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      })
      const statuses = (await Promise.all([first, here, there])).map(({ status }) => status)
      deepEqual(statuses, [409, 409, 409])
      await release()
      equal((await call('PATCH', '/workspace', body, { key })).status, 200)
    })
  })

  describe('for a file to be read', () => {
    // A small body that takes a second to read.
    const rows = times(20_000, (i) => rowOf(i + 1, [`Person ${i}`, `p${i % 500}@import.example`]))
    const content = zipPacked(partsOf([rows.join('')])).toString('base64')
    const plan = (call: Caller, key: string | null = null) =>
      call('POST', '/people/import', { file: { name: 'p.xlsx', content } }, { key })

    it('holds no connection, and most of sixty-four from one workspace are asked to retry', async () => {
      const { call } = await service.workspace()
      const theirs = await service.workspace()
      const plans = Promise.all(times(64, () => plan(call)))
      const reads = (async () => {
        const statuses: number[] = []
        for (let i = 0; i < 40; i++) {
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
