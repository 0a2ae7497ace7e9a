import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Context } from 'mocha'
import { archiveOf } from '../../support/archive.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('/archive', function () {
  this.timeout(120_000)
  let service: TestService
  let given: ReturnType<typeof archiveOf>
  let at: (point: string) => void = () => {}
  before(async function () {
    service = await startService()
    given = archiveOf(service)
    await service.work(this.test?.ctx as Context, { crash: (point) => at(point) })
  })
  afterEach(() => {
    at = () => {}
  })
  after(() => service.close())

  it('puts correspondents on their cards, marks conversations, and reports its progress', async () => {
    const workspace = await service.workspace()
    const { id, email } = await given.person(workspace)
    const other = await given.person(workspace)
    const [us] = (await workspace.call('GET', '/channels')).body.channels
    const conversation = await given.written(workspace, {
      person: id,
      messages: [
        { from: email, text: 'Sounds good, tell me more.' },
        { to: `second-${email}` },
        { from: `Third-${email}`, text: 'Please send us a quote.', at: '2026-11-22T20:00:00Z' },
        { from: other.email, text: 'Thank you.', at: '2026-11-20T10:00:00Z' },
        { from: us.account },
        { from: `robot-${email}`, automated: true, at: '2026-11-22T21:00:00Z' },
        { to: 'nonsense' },
      ],
    })
    const key = randomUUID()
    const begun = await given.start(workspace, { since: '2026-11-01' }, key)
    deepEqual(
      [begun.state, begun.since, begun.channels, begun.groups, begun.fresh, begun.operation],
      ['running', '2026-11-01', workspace.connections.toSorted(), false, false, key],
    )
    const done = await given.ended(workspace)
    deepEqual([done.state, done.progress], ['done', { done: 7, total: 7 }])
    ok(done.startedAt && done.endedAt && done.operation === key)

    deepEqual(
      (await given.card(workspace, id)).emails.toSorted(),
      [email, `second-${email}`, `third-${email}`].toSorted(),
    )
    deepEqual((await given.card(workspace, other.id)).emails, [other.email])
    deepEqual(await given.marksOf(workspace, conversation), ['quote', 'high'])
    const { body: operation } = await workspace.call('GET', `/operations/${key}`)
    deepEqual(
      [operation.kind, operation.state, operation.progress, operation.result],
      [
        'parseArchive',
        'done',
        { done: 7, total: 7 },
        { state: 'done', done: 7, addresses: 2, marked: 1, tagged: 0 },
      ],
    )
    const lines = (await workspace.call('GET', '/audit')).body.entries
    deepEqual(
      lines.map(({ action }: { action: string }) => action),
      ['archive.parsed', 'archive.started'],
    )
  })

  it('is done, 0 of 0, when there is nothing to parse', async () => {
    const workspace = await service.workspace()
    const none = await given.read(workspace)
    deepEqual(none, {
      state: 'none',
      since: null,
      channels: [],
      groups: false,
      fresh: false,
      progress: { done: 0, total: null },
      startedAt: null,
      endedAt: null,
      operation: null,
    })
    const done = await given.parse(workspace)
    deepEqual([done.state, done.progress], ['done', { done: 0, total: 0 }])
    const { id, email } = await given.person(workspace)
    await given.written(workspace, { person: id, messages: [{ from: email }] })
    deepEqual((await given.parse(workspace, { since: '2026-11-23' })).progress, {
      done: 0,
      total: 0,
    })
    deepEqual((await given.parse(workspace, { since: '9999-12-31' })).state, 'done')
    deepEqual((await given.parse(workspace)).progress, { done: 1, total: 1 })
  })

  it('begins with the day as the workspace counts it', async () => {
    const workspace = await service.workspace({ timezone: 'America/New_York' })
    const { id, email } = await given.person(workspace)
    const times = [
      '2026-11-20T04:59:59.999Z',
      '2026-11-20T05:00:00.000Z',
      '2026-11-20T12:00:00.000Z',
    ]
    await given.written(workspace, {
      person: id,
      messages: times.map((at) => ({ from: email, at })),
    })
    deepEqual((await given.parse(workspace, { since: '2026-11-20' })).progress, {
      done: 2,
      total: 2,
    })
  })

  it('parses the channels it is given, and groups only when asked', async () => {
    const workspace = await service.workspace()
    const { id, email } = await given.person(workspace)
    const [messenger, network] = [
      await given.channel(workspace, 'messenger'),
      await given.channel(workspace, 'professional_network'),
    ]
    const mail = await given.written(workspace, {
      person: id,
      messages: [{ from: email, text: 'How much?' }],
    })
    await given.written(workspace, {
      person: id,
      connection: messenger,
      kind: 'messenger' as const,
      messages: [{ from: '+49 30 1234561', text: 'Hello' }],
    })
    const group = await given.written(workspace, {
      person: id,
      connection: messenger,
      kind: 'messenger' as const,
      messages: [
        { from: '+49 30 1234562', text: 'Hello' },
        { from: '+49 30 1234563', text: 'How much is it?' },
      ],
    })
    await given.written(workspace, {
      person: id,
      connection: network,
      kind: 'professional_network' as const,
      messages: [{ from: 'linkedin.com/in/kim' }],
    })
    deepEqual((await given.parse(workspace, { channels: [messenger] })).progress, {
      done: 1,
      total: 1,
    })
    deepEqual(await given.marksOf(workspace, mail), ['other', 'normal'])
    const all = await given.parse(workspace)
    deepEqual(all.channels, [...workspace.connections, messenger].toSorted())
    equal(all.progress.done, 2)
    deepEqual(await given.marksOf(workspace, group), ['other', 'normal'])
    equal((await given.parse(workspace, { groups: true })).progress.done, 4)
    deepEqual(await given.marksOf(workspace, group), ['quote', 'high'])
    equal((await given.parse(workspace, { channels: [network] })).progress.done, 1)
    const { phones, linkedin } = await given.card(workspace, id)
    deepEqual([phones, linkedin], [['+49301234561'], 'linkedin.com/in/kim'])
  })

  it('marks nothing that is already marked, and nothing while tagging is off', async () => {
    const workspace = await service.workspace()
    const { id, email } = await given.person(workspace)
    const messages = [{ from: email, text: 'How much is it?' }]
    const [open, marked] = [
      await given.written(workspace, { person: id, messages }),
      await given.written(workspace, { person: id, messages }),
    ]
    await service.db
      .updateTable('conversations')
      .set({ intent: 'complaint' })
      .where('id', '=', marked)
      .execute()
    await workspace.call('PATCH', '/workspace', { tagging: false })
    await given.parse(workspace)
    deepEqual(await given.marksOf(workspace, open), ['other', 'normal'])
    await workspace.call('PATCH', '/workspace', { tagging: true })
    await given.parse(workspace)
    deepEqual(await given.marksOf(workspace, open), ['quote', 'high'])
    deepEqual(await given.marksOf(workspace, marked), ['complaint', 'normal'])
  })

  it('tags people who name a product when asked to, unless the pair was removed by hand', async () => {
    const workspace = await service.workspace()
    const [ann, ben] = [await given.person(workspace), await given.person(workspace)]
    const { name } = (await workspace.call('GET', `/products/${workspace.product}`)).body
    for (const { id, email } of [ann, ben])
      await given.written(workspace, {
        person: id,
        messages: [
          { from: email, text: `Is ${name.toUpperCase()} still sold?` },
          { to: email, text: name },
        ],
      })
    const cem = await given.person(workspace)
    await given.written(workspace, { person: cem.id, messages: [{ to: cem.email, text: name }] })
    const tag = { label: workspace.product, side: 'buyer' }
    await workspace.call('POST', `/people/${ben.id}/tags`, tag)
    await workspace.call('DELETE', `/people/${ben.id}/tags`, tag)

    await given.parse(workspace)
    deepEqual((await given.card(workspace, ann.id)).tags, [])
    for (let twice = 0; twice < 2; twice++) {
      await given.parse(workspace, { fresh: true })
      deepEqual((await given.card(workspace, ann.id)).tags, [tag])
      deepEqual((await given.card(workspace, ben.id)).tags, [])
      deepEqual((await given.card(workspace, cem.id)).tags, [])
    }
  })

  it('is not changed by another start while it runs, or by another decline', async () => {
    const workspace = await service.workspace()
    const { id, email } = await given.person(workspace)
    await given.written(workspace, { person: id, messages: [{ from: email }] })
    const [reached, goOn] = [Promise.withResolvers<void>(), { at: Date.now() + 600 }]
    at = () => {
      reached.resolve()
      while (Date.now() < goOn.at) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
    }
    const replies = await Promise.all(Array.from({ length: 4 }, () => given.start(workspace)))
    equal(new Set(replies.map(({ operation }) => operation)).size, 1)
    await given.ended(workspace)
    const starts = (await workspace.call('GET', '/audit')).body.entries.filter(
      ({ action }: { action: string }) => action === 'archive.started',
    )
    equal(starts.length, 1)
    const declined = await workspace.call('POST', '/archive', { do: 'decline' })
    deepEqual([declined.body.state, declined.body.progress], ['declined', { done: 1, total: 1 }])
    equal((await workspace.call('POST', '/archive', { do: 'decline' })).text, declined.text)
  })

  it('can be declined before anything is parsed', async () => {
    const workspace = await service.workspace()
    const token = await workspace.tokenWith(['inbox:write'])
    const { status, body } = await workspace.call('POST', '/archive', { do: 'decline' }, { token })
    deepEqual([status, body.state, body.operation], [200, 'declined', null])
    deepEqual(await given.read(workspace), body)
  })

  it('needs the scope send to start, and takes no other member beside decline', async () => {
    const workspace = await service.workspace()
    const token = await workspace.tokenWith(['inbox:read', 'inbox:write'])
    for (const body of [{ do: 'start' }, {}, { do: 'x' }, { do: ['decline'] }]) {
      const reply = await workspace.call('POST', '/archive', body, { token })
      deepEqual([reply.status, reply.body.scopes], [403, ['inbox:write', 'send']])
    }
    const wrong = async (body: object) => {
      const reply = await workspace.call('POST', '/archive', body)
      equal(reply.status, 422, reply.text)
      return reply.body.errors.map(({ pointer }: { pointer: string }) => pointer)
    }
    deepEqual(await wrong({ do: 'decline', since: '2026-01-01', fresh: true }), [
      '/since',
      '/fresh',
    ])
    deepEqual(await wrong({ do: 'start', since: '2026-02-30' }), ['/since'])
    deepEqual(await wrong({ do: 'start', since: '0000-01-01' }), ['/since'])
    const theirs = await service.workspace()
    const [mine] = workspace.connections
    deepEqual(await wrong({ do: 'start', channels: [mine, theirs.connections[0]] }), [
      '/channels/1',
    ])
    deepEqual(await wrong({ since: '2026-01-01' }), ['/do'])
    equal((await given.read(workspace)).state, 'none')
    const nulls = { do: 'decline', since: null, channels: null, groups: null, fresh: null }
    equal((await workspace.call('POST', '/archive', nulls)).status, 200)
  })
})
