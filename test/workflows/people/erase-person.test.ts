import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Context } from 'mocha'
import { givenTraces, searchAll, traces } from '../../support/erased-person.ts'
import { commit } from '../../support/people-files.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

// Of somebody who is erased, nothing is left in any table, and nothing brings them back.

describe('DELETE /people/{id}', function () {
  this.timeout(120_000)
  let service: TestService
  let between: (point: string) => void = () => {}
  before(async function () {
    service = await startService()
    const deps = { crash: (point: string) => between(point) }
    await service.work(this.test?.ctx as Context, deps, { only: ['rows', 'remote'] })
  })
  afterEach(() => {
    between = () => {}
  })
  after(() => service.close())

  type Given = Awaited<ReturnType<typeof givenTraces>>

  async function erased({ call, person }: Given) {
    const key = randomUUID()
    const reply = await call('DELETE', `/people/${person}`, undefined, { key })
    equal(reply.status, 200, reply.text)
    deepEqual(reply.body, { id: person, erased: true })
    equal((await call('GET', `/people/${person}`)).status, 404)
    await eventually(
      () => call('GET', `/operations/${key}`),
      ({ body }) => body.state === 'done',
      60_000,
    )
    deepEqual((await call('DELETE', `/people/${person}`, undefined, { key })).body, reply.body)
    return key
  }

  it('leaves nothing of them in any table, and ids, times, states and counts as they were', async () => {
    const given = await givenTraces(service)
    const { call, person, campaign, message, own, begun, answered, meeting, deal } = given
    for (const trace of traces)
      ok((await searchAll(service.db, [trace])).length > 0, `the test has no ${trace}`)
    const funnel = (await call('GET', `/campaigns/${campaign}`)).body.funnel

    await erased(given)
    deepEqual(await searchAll(service.db, traces), [])

    const after = (await call('GET', `/campaigns/${campaign}`)).body.funnel
    deepEqual([after.people, after.sent], [funnel.people, funnel.sent])
    equal((await call('GET', `/messages/${message}`)).body.state, 'cancelled')
    const mine = (await call('GET', `/conversations/${own.conversation}/messages`)).body.messages
    deepEqual(
      mine
        .map(({ text, subject, direction }: Record<string, string>) => [text, subject, direction])
        .sort(),
      [
        ['', '', 'inbound'],
        ['', '', 'outbound'],
      ],
    )
    const said = (await call('GET', `/messages/${answered.message}`)).body
    equal(
      said.text,
      [
        'I agree with […], and the budget is mine.',
        '',
        'On Monday, […] <[…]> wrote:',
        '> […]',
        '',
        'Best, Bo',
      ].join('\n'),
    )
    deepEqual(said.cc, ['[…]'])
    const shared = (await call('GET', `/conversations/${begun.conversation}/messages`)).body
      .messages
    ok(shared.some(({ text }: { text: string }) => text === 'Hello, may I add a colleague?'))
    deepEqual((await call('GET', `/calendar/meetings/${meeting}`)).body.guests, ['bo@lind.example'])
    equal((await call('GET', `/deals/${deal}`)).body.buyer, person)
    const [line] = (await call('GET', '/audit')).body.entries
    deepEqual(
      [line.action, line.resource, line.before, line.after],
      ['person.erased', person, null, null],
    )
    const events = (
      await call('GET', '/events?kinds=person.erased&from=2020-01-01T00:00:00Z&wait=20')
    ).body.events
    deepEqual(
      events.map(({ resource }: { resource: string }) => resource),
      [person],
    )
  })

  it('answers repeats of older calls that held something of them with 410', async () => {
    const given = await givenTraces(service)
    const { call, person, own, email, keys } = given
    await erased(given)
    const path = `/conversations/${own.conversation}`
    for (const reply of [
      await call('POST', `${path}/notes`, { text: 'She said axolotl.' }, keys.noted),
      await call('POST', '/people/import', { file: given.file }, keys.planned),
    ])
      deepEqual([reply.status, reply.body.code], [410, 'erased'], reply.text)
    equal((await call('DELETE', `/people/${person}`)).status, 404)
    equal((await call('PATCH', `/people/${person}`, { city: 'Oslo' })).status, 404)
    const answer = await call('POST', `${path}/messages`, { text: 'Hello?', to: email })
    deepEqual([answer.status, answer.body.code], [422, 'erased'])
  })

  it('is not undone by calls, imports or searches', async () => {
    const given = await givenTraces(service)
    const { call, email, bo } = given
    const [via] = given.connections
    await erased(given)
    const refused = await call('POST', '/people', { name: 'T', email: email.toUpperCase() })
    deepEqual([refused.status, refused.body.code], [422, 'erased'])
    equal(refused.body.errors[0].pointer, '/email')
    const bulk = await call('POST', '/people/bulk', {
      people: [{ email }, { email: 'new@lind.example' }],
    })
    deepEqual(
      bulk.body.results.map(
        ({ outcome, errors }: { outcome: string; errors?: { code: string }[] }) => [
          outcome,
          errors?.[0]?.code,
        ],
      ),
      [
        ['refused', 'erased'],
        ['created', undefined],
      ],
    )
    const edit = await call('PATCH', `/people/${bo}`, { emails: ['bo@lind.example', email] })
    deepEqual([edit.status, edit.body.code], [422, 'erased'])
    const open = await call('POST', '/conversations', { to: email, via, text: 'Hello?' })
    deepEqual([open.status, open.body.code], [422, 'erased'])
    const beside = { person: bo, via, text: 'Hello?', cc: ['bo@b.example', email] }
    const copy = await call('POST', '/conversations', beside)
    deepEqual(
      [copy.status, copy.body.code, copy.body.errors?.[0].pointer],
      [422, 'erased', '/cc/1'],
    )
    const key = randomUUID()
    const csv = `name,email,phone\nT,${email},\nP,,+4530112233\nN,n@lind.example,\n`
    equal((await commit(given, csv, {}, key)).status, 200)
    await eventually(
      () => call('GET', `/operations/${key}`),
      ({ body }) => body.state === 'done',
    )
    const { rows } = (await call('GET', `/people/import/${key}/rows`)).body
    deepEqual(
      rows.map(({ outcome, person }: { outcome: string; person: string | null }) => [
        outcome,
        typeof person,
      ]),
      [
        ['erased', 'object'],
        ['erased', 'object'],
        ['new', 'string'],
      ],
    )
    deepEqual((await call('GET', `/people?email=${email}`)).body.people, [])
  })

  it('opens a new card for a mail of theirs, which may be answered by hand and gets no letters', async () => {
    const given = await givenTraces(service)
    const { call, email, person, own, receive } = given
    await erased(given)
    const again = await receive({
      references: ['<pangolin-1@quistgaard.example>'],
      text: 'It is me again.',
    })
    ok(again.conversation !== own.conversation)
    const [card] = (await call('GET', `/people?email=${email}`)).body.people
    ok(card.id !== person)
    deepEqual(card.suppressed, [{ address: email, reason: 'unsubscribe' }])
    const { suppressions } = (await call('GET', `/suppressions?address=${email}`)).body
    const lifted = await call('DELETE', `/suppressions/${suppressions[0].id}`)
    deepEqual([lifted.status, lifted.body.code], [422, 'erased'])
    equal((await call('GET', `/suppressions/${suppressions[0].id}`)).status, 200)
    const path = `/conversations/${again.conversation}/messages`
    equal((await call('POST', path, { text: 'Welcome back.' })).status, 200)
  })

  it('goes on where it was, wherever its worker is broken off', async () => {
    const given = await givenTraces(service)
    let pages = 0
    between = (point) => {
      if ([1, 6, 12, 19].includes(++pages)) throw new Error(`broken off ${point}`)
    }
    await erased(given)
    ok(pages > 20)
    const own = (await given.call('GET', `/conversations/${given.own.conversation}/messages`)).body
    deepEqual([...new Set(own.messages.map(({ text }: { text: string }) => text))], [''])
  })

  it('is another workspace’s business alone', async () => {
    const given = await givenTraces(service)
    const { call: other } = await service.workspace()
    equal((await other('DELETE', `/people/${given.person}`)).status, 404)
    equal((await given.call('GET', `/people/${given.person}`)).status, 200)
    const token = await given.tokenWith(['inbox:read', 'inbox:write'])
    equal((await given.call('DELETE', `/people/${given.person}`, undefined, { token })).status, 403)
    // The whole database is searched by others.
    await erased(given)
  })
})
