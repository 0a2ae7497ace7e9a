import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { eventually, startService, type TestService } from '../../support/service.ts'

describe('GET /operations/{key}', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  const read = (call: Awaited<ReturnType<TestService['workspace']>>['call'], key: string) =>
    call('GET', `/operations/${encodeURIComponent(key)}`)

  it('says what became of a call', async () => {
    const { call, id } = await service.workspace()
    const key = randomUUID()
    const { body: result } = await call('PATCH', '/workspace', { tagging: false }, { key })
    const { status, body } = await read(call, key)
    equal(status, 200)
    const { startedAt, endedAt, ...rest } = body
    match(startedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    equal(endedAt, startedAt)
    deepEqual(rest, {
      id: `${id}:${key}`,
      kind: 'workspace.edited',
      state: 'done',
      progress: null,
      waitingFor: null,
      until: null,
      result,
      workflow: null,
    })
  })

  it('says what became of a refused call, and knows none that was not carried out', async () => {
    const { call } = await service.workspace()
    const { body: problem } = await call('PATCH', '/people/per_none', {}, { key: 'gone' })
    const { body } = await read(call, 'gone')
    equal(body.state, 'failed')
    deepEqual(body.result, problem)
    await call('PATCH', '/workspace', { colour: 1 }, { key: 'refused' })
    equal((await read(call, 'refused')).status, 404)
  })

  it('finds a key of any visible characters, and a long one by its hash', async () => {
    const { call, id } = await service.workspace()
    const odd = [
      ...[
        'a/b',
        '/',
        '//',
        'a%2Fb',
        '%',
        '%41',
        '100%',
        '?x=1',
        '#',
        'a+b',
        'a&b=c',
        ';',
        ':',
        '~',
      ],
      ...['"', '"a', `'`, '\\', '<script>', '...', '-', `sha256-${'0'.repeat(64)}`],
      ...['k'.repeat(128), 'k'.repeat(129), '/'.repeat(255)],
    ]
    for (const key of odd) {
      const made = await call('PATCH', '/workspace', {}, { key })
      equal(made.status, 200, `${key}: ${made.text}`)
      const { status, body } = await read(call, key)
      equal(status, 200, key)
      const hash = createHash('sha256').update(key).digest('hex')
      equal(body.id, `${id}:${key.length > 128 ? `sha256-${hash}` : key}`)
    }
    for (const key of ['none', 'ü', '😀', ' ', 'x'.repeat(256), 'x'.repeat(5000)])
      equal((await read(call, key)).body.code, 'not_found')
  })

  it('does not show an operation to another workspace', async () => {
    const [ours, theirs] = [await service.workspace(), await service.workspace()]
    await theirs.call('PATCH', '/workspace', {}, { key: 'same' })
    equal((await read(ours.call, 'same')).status, 404)
    equal((await read(ours.call, `../${theirs.id}:same`)).status, 404)
  })
})

describe('while Temporal is away', () => {
  let service: TestService
  beforeEach(async () => {
    service = await startService()
  })
  afterEach(() => service.close())

  const timed = async <T>(run: () => Promise<T>) => {
    const start = Date.now()
    const reply = await run()
    return { reply, ms: Date.now() - start }
  }

  it('an awaited call is answered 504 still_running after two seconds, and a repeat gets the outcome', async function () {
    this.timeout(120_000)
    const { call, connections } = await service.workspace()
    const key = randomUUID()
    const check = () => call('POST', '/senders/health/check', {}, { key })
    for (const _ of ['first', 'repeat']) {
      const { reply, ms } = await timed(check)
      equal(`${reply.status} ${reply.body.code}`, '504 still_running')
      ok(reply.body.retryable)
      match(reply.headers.get('retry-after') ?? '', /^\d+$/)
      ok(ms > 1500 && ms < 6000, `${ms} ms`)
    }
    const { body } = await call('GET', `/operations/${key}`)
    equal(`${body.state} ${body.kind} ${body.result}`, 'accepted checkSenders null')
    ok(body.workflow.url)

    await service.work(this.test?.ctx as Mocha.Context)
    const done = await eventually(check, ({ status }) => status === 200)
    equal(done.headers.get('idempotent-replayed'), 'true')
    deepEqual(
      done.body.accounts.map(({ connection }: { connection: string }) => connection),
      [...connections].sort(),
    )
    equal((await check()).text, done.text)
    equal((await call('GET', `/operations/${key}`)).body.state, 'done')
  })

  it('a call whose subject is deleted before its work begins ends in a 404', async function () {
    this.timeout(120_000)
    const { call } = await service.workspace()
    const { id } = (await call('POST', '/campaigns', { goal: 'Demo' })).body
    const key = randomUUID()
    const write = () => call('POST', `/campaigns/${id}/letters`, { write: [1] }, { key })
    equal((await write()).status, 504)
    equal((await call('DELETE', `/campaigns/${id}`)).status, 200)

    await service.work(this.test?.ctx as Mocha.Context)
    const done = await eventually(write, ({ status }) => status !== 504)
    equal(`${done.status} ${done.body.code}`, '404 not_found')
    equal(done.headers.get('content-type'), 'application/problem+json')
    equal((await call('GET', `/operations/${key}`)).body.state, 'failed')
  })

  it('calls that are accepted at once are accepted, also an import', async function () {
    this.timeout(120_000)
    const { call } = await service.workspace()
    const key = randomUUID()
    const content = Buffer.from('name,email\nAda,ada@client.example\n').toString('base64')
    const body = { file: { name: 'people.csv', content }, commit: true }
    const commit = () => call('POST', '/people/import', body, { key })
    const { reply, ms } = await timed(commit)
    equal(reply.status, 200, reply.text)
    ok(ms > 1500 && ms < 6000, `${ms} ms`)
    equal(reply.body.operation, key)
    equal(reply.body.state, 'accepted')

    await service.work(this.test?.ctx as Mocha.Context)
    const { body: operation } = await eventually(
      () => call('GET', `/operations/${key}`),
      ({ body }) => body.state === 'done',
    )
    const { rows, state } = operation.result
    deepEqual([state, rows.total, rows.new], ['done', 1, 1])
    deepEqual(Object.keys(operation.result).sort(), Object.keys(reply.body).sort())
    // The answer that was given stands.
    equal((await commit()).text, reply.text)
    equal((await call('GET', '/people')).body.people.length, 1)
  })
})
