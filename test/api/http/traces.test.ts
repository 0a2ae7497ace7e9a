import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { noteSeen } from '../../../db/operations/workers.ts'
import { openRaw } from '../../support/raw.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

// What an operator sees of a call: its line in the log, and its numbers in the metrics.

type Line = Record<string, unknown> & { level: number; msg: string }
const info = 30

describe('what a call leaves behind', function () {
  this.timeout(60_000)
  let service: TestService
  const lines: Line[] = []
  before(async () => {
    service = await startService({
      patience: { dispatchMs: 0 },
      logged: (line) => lines.push(JSON.parse(line)),
    })
  })
  after(() => service.close())
  beforeEach(() => void lines.splice(0))

  const metrics = async () => (await fetch(`${service.url}/metrics`)).text()
  const countOf = async (name: string) =>
    Number(
      (await metrics())
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1],
    ) || 0
  const calls = (method: string, route: string, status: number) =>
    countOf(
      `postroom_http_request_seconds_count{method="${method}",route="${route}",status="${status}"}`,
    )
  const serverErrors = async () =>
    (await metrics())
      .split('\n')
      .filter((line) => /^postroom_http_request_seconds_count.*status="5/.test(line))

  it('is a 499 and not an error when the caller goes away', async () => {
    const { token } = await service.workspace()
    const before = {
      gone: await calls('POST', '/people/import', 499),
      errors: await serverErrors(),
    }
    const upload = openRaw(service.url, 'POST', '/api/v1/people/import', {
      authorization: `Bearer ${token}`,
      'idempotency-key': 'broken-off',
      'content-type': 'application/json',
      'content-length': 500_000,
    })
    upload.write('{"file":{"name":"people.csv","content":"')
    await new Promise((resolve) => setTimeout(resolve, 300))
    upload.destroy()
    const gone = () => calls('POST', '/people/import', 499)
    await eventually(gone, (count) => count === before.gone + 1)
    deepEqual(await serverErrors(), before.errors)
    const told = lines.filter(({ route }) => route === '/people/import')
    deepEqual(
      told.map(({ level, status, msg }) => [level, status, msg]),
      [[info, 499, 'the caller disconnected']],
    )
  })

  it('is one line and not an error while the call still runs', async () => {
    const { call } = await service.workspace()
    const { status } = await call('POST', '/segments', { query: 'everyone' })
    equal(status, 504)
    const told = lines.filter(({ route }) => route === '/segments')
    deepEqual(
      told.map(({ level, status, code, err }) => [level, status, code, err]),
      [[info, 504, 'still_running', undefined]],
    )
  })

  it('says which page was requested, and what was not found', async () => {
    for (const path of ['/readyz', '/livez', '/metrics', '/docs', '/u/abcdefgh12345678'])
      await (await fetch(`${service.url}${path}`)).text()
    await fetch(`${service.url}/api/v1/peeple/kim%40client.example?name=Kim`)
    ok((await calls('GET', '/docs', 200)) > 0)
    ok((await calls('GET', '/metrics', 200)) > 0)
    ok((await calls('GET', '/u/{token}', 404)) > 0)
    const told = lines.filter(({ level }) => level >= info)
    deepEqual(
      told.map(({ route, path }) => [route, path]),
      [
        ['/docs', undefined],
        ['/u/{token}', undefined],
        ['none', '/api/v1/peeple/…'],
      ],
    )
  })

  it('reports on workers, and does not blame Temporal for what they have not tried', async () => {
    const other = await startService()
    const ready = async () => (await (await fetch(`${other.url}/readyz`)).json()) as Line
    const { call } = await other.workspace()
    equal((await ready())['worker'], 'away')
    await call('POST', '/segments', { query: 'everyone' })
    await other.db
      .updateTable('outbox')
      .set({ createdAt: new Date(Date.now() - 60_000) })
      .execute()
    const { status, worker, temporal } = await ready()
    deepEqual([status, worker, temporal], ['ok', 'away', 'unknown'])
    await noteSeen(other.db, { id: 'one', version: '0', reads: true })
    deepEqual([(await ready())['worker'], (await ready())['temporal']], ['ok', 'behind'])
    const text = await (await fetch(`${other.url}/metrics`)).text()
    match(text, /^postroom_workers 1$/m)
    match(text, /^postroom_worker_last_seen_seconds 0(\.\d+)?$/m)
    await other.db
      .updateTable('workers')
      .set({ seenAt: new Date(Date.now() - 60_000) })
      .execute()
    equal((await ready())['worker'], 'away')
    const later = await (await fetch(`${other.url}/metrics`)).text()
    match(later, /^postroom_workers 0$/m)
    match(later, /^postroom_worker_last_seen_seconds 6\d/m)
    await other.close()
  })

  it('shows within seconds that the database does not answer, and gives no meaningless numbers', async () => {
    const { hostname, port } = new URL(service.databaseUrl)
    const pairs: [Socket, Socket][] = []
    let still = false
    const between = createServer((near) => {
      const far = connect(Number(port), hostname)
      near.pipe(far).pipe(near)
      for (const socket of [near, far]) socket.on('error', () => {})
      if (still) near.pause()
      pairs.push([near, far])
    })
    await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve))
    const url = new URL(service.databaseUrl)
    url.port = String((between.address() as AddressInfo).port)
    const other = await startService({ databaseUrl: url.href })
    const ask = async (path: string) => {
      const started = performance.now()
      const answer = await fetch(`${other.url}${path}`)
      return { status: answer.status, text: await answer.text(), ms: performance.now() - started }
    }
    equal((await ask('/readyz')).status, 200)
    match((await ask('/metrics')).text, /^postroom_outbox_dead 0$/m)

    still = true
    for (const [near, far] of pairs) for (const socket of [near, far]) socket.pause().unpipe()
    // Each is requested more often than there are connections.
    const asked = await Promise.all(
      Array.from({ length: 30 }, (_, i) => ask(i % 2 ? '/readyz' : '/metrics')),
    )
    for (const [i, { status, text, ms }] of asked.entries()) {
      ok(ms < 10_000, `${ms} ms`)
      if (i % 2) equal(status, 503, text)
      else {
        match(text, /^postroom_gauges_ok 0$/m)
        ok(!/ nan$/im.test(text), 'a number is none')
        ok(!/^postroom_outbox_dead /m.test(text), 'a number that nobody knows')
      }
    }
    still = false
    for (const [near, far] of pairs) near.pipe(far).pipe(near)
    await eventually(
      () => ask('/readyz'),
      ({ status }) => status === 200,
      30_000,
    )
    match((await ask('/metrics')).text, /^postroom_gauges_ok 1$/m)
    for (const [near, far] of pairs) {
      near.destroy()
      far.destroy()
    }
    await other.close()
    between.close()
  })

  it('shows what runs, what is wrong with accounts, and how long letters have waited', async () => {
    const other = await startService()
    const { db, clock } = other
    const { connections, call, id } = await other.workspace()
    const [broken] = connections
    await db
      .updateTable('connections')
      .set({ problem: 'smtp_unreachable', imap: '{"host":"127.0.0.1","port":9,"secure":false}' })
      .where('id', '=', broken)
      .execute()
    const hourAgo = new Date(Date.now() - 3_600_000)
    await db
      .insertInto('mailboxReaders')
      .values({
        connection: broken,
        since: hourAgo,
        problem: null,
        readAt: null,
        caughtUpAt: hourAgo,
      })
      .execute()
    const person = (await call('POST', '/people', { name: 'Kim', email: 'kim@client.example' }))
      .body
    const waiting = { workspace: id, conversation: 'cnv_none' }
    equal(typeof person.id, 'string')
    const { givenConversation } = await import('../../support/given.ts')
    waiting.conversation = await givenConversation(db, id, {
      person: person.id,
      connection: broken,
      from: 'kim@client.example',
      at: clock.now(),
    })
    await call('POST', `/conversations/${waiting.conversation}/messages`, { text: 'Hello' })
    await clock.set(new Date(clock.now().getTime() + 600_000).toISOString())
    const text = await (await fetch(`${other.url}/metrics`)).text()
    match(text, /^postroom_build_info\{version="\d+\.\d+\.\d+",node="v\d+\..*"\} 1$/m)
    match(text, /^postroom_accounts\{kind="email",problem="smtp_unreachable"\} 1$/m)
    match(text, /^postroom_mailbox_oldest_reading_seconds 36\d\d/m)
    match(text, /^postroom_overdue_oldest_seconds\{kind="message"\} 6\d\d/m)
    match(text, /^postroom_unconfirmed_oldest_seconds\{kind="letter"\} 0$/m)
    match(text, /^process_cpu_seconds_total /m)
    match(text, /^nodejs_heap_size_used_bytes /m)
    await other.close()
  })
})
