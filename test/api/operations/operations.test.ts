import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { endOperation } from '../../../db/operations/operations.ts'
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
    const { acceptedAt, startedAt, endedAt, ...rest } = body
    ok(acceptedAt <= startedAt, acceptedAt)
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
    equal((await read(ours.call, `${theirs.id}:same`)).status, 404)
  })

  it('finds it by its whole id too, unless that is a key', async () => {
    const { call, id } = await service.workspace()
    await call('PATCH', '/workspace', { tagging: true }, { key: 'one' })
    equal((await read(call, `${id}:one`)).body.id, `${id}:one`)
    const long = 'k'.repeat(200)
    await call('PATCH', '/workspace', {}, { key: long })
    const { body } = await read(call, long)
    deepEqual((await read(call, body.id)).body, body)
    await call('PATCH', '/workspace', {}, { key: `${id}:one` })
    equal((await read(call, `${id}:one`)).body.id, `${id}:${id}:one`)
  })

  it('has the members of results in the order of the answers', async () => {
    const { call } = await service.workspace()
    const { body: person } = await call('POST', '/people', { email: 'ada@client.example' })
    const path = `/people/${person.id}`
    const key = randomUUID()
    const changed = await call('PATCH', path, { city: 'Bern', fields: { z: 1, a: 2 } }, { key })
    equal(changed.status, 200, changed.text)
    const { body } = await read(call, key)
    equal(JSON.stringify(body.result), changed.text)
    const refused = await call('PATCH', '/people/per_none', {}, { key: 'gone' })
    equal(JSON.stringify((await read(call, 'gone')).body.result), refused.text)
  })
})

describe('GET /operations', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  async function given(keys: string[]) {
    const workspace = await service.workspace()
    for (const key of keys)
      await workspace.call(
        'PATCH',
        /gone/.test(key) ? '/people/per_none' : '/workspace',
        {},
        { key },
      )
    const list = async (query = '') => {
      const { status, body, text } = await workspace.call('GET', `/operations${query}`)
      equal(status, 200, text)
      return body
    }
    const keysIn = async (query?: string) =>
      (await list(query)).operations.map(({ id }: { id: string }) =>
        id.slice(workspace.id.length + 1),
      )
    return { ...workspace, list, keysIn }
  }

  it('lists those of the workspace, newest first, as each is read', async () => {
    const { call, list, keysIn } = await given(['one', 'gone', 'two'])
    await given(['theirs'])
    deepEqual(await keysIn(), ['two', 'gone', 'one'])
    for (const [i, key] of ['two', 'gone', 'one'].entries())
      deepEqual((await list()).operations[i], (await call('GET', `/operations/${key}`)).body)
  })

  it('by state, by kind and from a time on', async () => {
    const { list, keysIn } = await given(['one', 'gone-1', 'two', 'gone-2'])
    deepEqual(await keysIn('?state=failed'), ['gone-2', 'gone-1'])
    deepEqual(await keysIn('?state=failed&limit=1'), ['gone-2'])
    deepEqual(await keysIn('?state=running'), [])
    deepEqual(await keysIn('?kind=workspace.edited&state=done'), ['two', 'one'])
    deepEqual(await keysIn('?kind=sendMessage'), [])
    const [, { acceptedAt }] = (await list()).operations
    deepEqual(await keysIn(`?from=${acceptedAt}`), ['gone-2', 'two'])
    const { next } = await list('?state=done&limit=1')
    deepEqual(await keysIn(`?state=done&limit=1&cursor=${next}`), ['one'])
    equal((await list('?state=done&limit=2')).next, null)
  })

  it('names the parameter that is wrong', async () => {
    const { call } = await given([])
    for (const [query, parameter] of [
      ['state=open', 'state'],
      ['from=yesterday', 'from'],
      ['key=one', 'key'],
    ]) {
      const { status, body } = await call('GET', `/operations?${query}`)
      equal(`${status} ${body.code} ${body.errors[0].parameter}`, `400 invalid_query ${parameter}`)
    }
  })
})

describe('GET /operations/{key}?wait=', () => {
  let service: TestService
  before(async () => {
    service = await startService({ patience: { dispatchMs: 0 } })
  })
  after(() => service.close())

  async function given() {
    const workspace = await service.workspace()
    const key = randomUUID()
    const { status } = await workspace.call('POST', '/senders/health/check', {}, { key })
    equal(status, 504)
    const read = (wait: number | string) => workspace.call('GET', `/operations/${key}?wait=${wait}`)
    const id = `${workspace.id}:${key}`
    const end = () =>
      endOperation(service.db, id, { state: 'done', result: { ok: true } }, new Date())
    return { ...workspace, key, id, read, end }
  }

  it('answers once the operation has ended', async () => {
    const { read, end } = await given()
    const began = Date.now()
    const asked = read(20)
    await new Promise((resolve) => setTimeout(resolve, 200))
    await end()
    const { status, body } = await asked
    equal(`${status} ${body.state}`, '200 done')
    ok(Date.now() - began < 10_000)
    equal((await read(20)).body.state, 'done')
  })

  it('answers it as it is when the time is over', async () => {
    const { read } = await given()
    const began = Date.now()
    equal((await read(1)).body.state, 'accepted')
    ok(Date.now() - began >= 1_000)
    equal((await read(0)).body.state, 'accepted')
  })

  it('refuses other times, and unknown operations at once', async () => {
    const { read, call } = await given()
    for (const wait of [26, -1, 'x', '1.5', '']) {
      const { status, body } = await read(wait)
      equal(`${status} ${body.code} ${body.errors[0].parameter}`, '400 invalid_query wait')
    }
    equal((await call('GET', '/operations/none?wait=20')).status, 404)
  })

  it('shares the five places of a token with those who wait for events', async () => {
    const { read, call, end } = await given()
    const waits = [1, 2, 3].flatMap(() => [read(20), call('GET', '/events?wait=4&kinds=deal.*')])
    const refused = await Promise.race(waits)
    equal(`${refused.status} ${refused.body.code}`, '429 rate_limited')
    equal((await read(0)).status, 200)
    await end()
    const statuses = (await Promise.all(waits)).map(({ status }) => status).sort()
    deepEqual(statuses, [200, 200, 200, 200, 200, 429])
    equal((await read(1)).status, 200)
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
