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

describe('while Temporal is away', function () {
  this.timeout(60_000)
  let service: TestService
  before(async () => {
    service = await startService({ patience: { dispatchMs: 300 } })
    ;[check, letters, people] = await Promise.all([
      ask('/senders/health/check', {}),
      askForLetters(),
      ask('/people/import', { file: { name: 'people.csv', content }, commit: true }),
    ])
  })
  after(() => service.close())

  const content = Buffer.from('name,email\nAda,ada@client.example\n').toString('base64')
  type Asked = Awaited<ReturnType<typeof ask>>
  let check: Asked
  let letters: Asked
  let people: Asked

  /** A call that is made while it is away, and can be repeated. */
  async function ask(path: string, body: object, from = service.workspace()) {
    const { call, connections } = await from
    const key = randomUUID()
    const again = () => call('POST', path, body, { key })
    const began = Date.now()
    const reply = await again()
    const operation = async () => (await call('GET', `/operations/${key}`)).body
    return { call, connections, key, again, reply, ms: Date.now() - began, operation }
  }

  /** Letters for a campaign that is deleted before they are written. */
  async function askForLetters() {
    const workspace = await service.workspace()
    const { id } = (await workspace.call('POST', '/campaigns', { goal: 'Demo' })).body
    const asked = await ask(`/campaigns/${id}/letters`, { write: [1] }, Promise.resolve(workspace))
    equal((await workspace.call('DELETE', `/campaigns/${id}`)).status, 200)
    return asked
  }

  it('an awaited call is answered 504 still_running when its work has not begun in time', async () => {
    for (const reply of [check.reply, await check.again()]) {
      equal(`${reply.status} ${reply.body.code}`, '504 still_running')
      ok(reply.body.retryable)
      match(reply.headers.get('retry-after') ?? '', /^\d+$/)
    }
    ok(check.ms >= 300, `${check.ms} ms`)
    const { state, kind, result, workflow } = await check.operation()
    equal(`${state} ${kind} ${result}`, 'accepted checkSenders null')
    ok(workflow.url)
    equal(letters.reply.status, 504)
  })

  it('calls that are accepted at once are accepted, also an import', () => {
    const { reply, key, ms } = people
    equal(reply.status, 200, reply.text)
    ok(ms >= 300, `${ms} ms`)
    equal(reply.body.operation, key)
    equal(reply.body.state, 'accepted')
  })

  describe('and is back', () => {
    before(async function () {
      await service.work(this.test?.ctx)
    })

    it('a repeat gets the outcome', async () => {
      const { again, connections, operation } = check
      const done = await eventually(again, ({ status }) => status === 200)
      equal(done.headers.get('idempotent-replayed'), 'true')
      deepEqual(
        done.body.accounts.map(({ connection }: { connection: string }) => connection),
        [...connections].sort(),
      )
      equal((await again()).text, done.text)
      equal((await operation()).state, 'done')
    })

    it('a call whose subject was deleted before its work began ends in a 404', async () => {
      const done = await eventually(letters.again, ({ status }) => status !== 504)
      equal(`${done.status} ${done.body.code}`, '404 not_found')
      equal(done.headers.get('content-type'), 'application/problem+json')
      equal((await letters.operation()).state, 'failed')
    })

    it('an import is carried out, and the answer that was given stands', async () => {
      const { call, reply, again, operation } = people
      const { result } = await eventually(operation, ({ state }) => state === 'done')
      deepEqual([result.state, result.rows.total, result.rows.new], ['done', 1, 1])
      deepEqual(Object.keys(result).sort(), Object.keys(reply.body).sort())
      equal((await again()).text, reply.text)
      equal((await call('GET', '/people')).body.people.length, 1)
    })
  })
})
