import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Context } from 'mocha'
import { givenClient, givenPeople } from '../support/given.ts'
import { lettersTo } from '../support/inbound.ts'
import { type MailSink, testMail } from '../support/mail.ts'
import { eventually, startService, type TestService } from '../support/service.ts'

// What developers of clients have missed or stumbled over, one test each (I1 to I19), through HTTP alone. Where an address answers
// otherwise than they had wished, the test says what it does, and docs/guarantees.md and docs/events.md the reason.

describe('what developers of clients have missed', function () {
  this.timeout(120_000)
  let service: TestService
  let mail: MailSink
  before(async function () {
    service = await startService()
    mail = await testMail()
    await service.work(this.test?.ctx as Context)
  })
  after(() => service.close())

  const given = () => service.workspace({ smtpPort: mail.smtpPort })
  const at = (minutes: number) => new Date(Date.UTC(2026, 10, 23, 8, minutes))

  it('I1: of 84 open conversations, the 8 that wait for us by one call, and their numbers by another', async () => {
    const workspace = await given()
    const { id, call, connections } = workspace
    const people = Array.from({ length: 84 }, (_, i) => ({
      name: `P${i}`,
      email: `i1-${i}-${id}@x.example`,
    }))
    const ids = await givenPeople(service.db, id, people, service.clock.now())
    await service.db
      .insertInto('conversations')
      .values(
        ids.map((person, i) => ({
          ...{
            id: `cnv_${i}_${id}`,
            workspace: id,
            person,
            connection: connections[0],
            kind: 'email',
          },
          ...{ subject: `S${i}`, lastMessageAt: at(i % 60), waitingSince: at(i % 60), owner: null },
          ...{ waitingFor: i < 8 ? 'us' : 'client', importance: i === 3 ? 'high' : 'normal' },
        })) as never,
      )
      .execute()
    const list = (query: string) => call('GET', `/conversations?${query}`)
    const ours = (await list('waitingFor=us&sort=waitingSince')).body
    deepEqual(
      ours.conversations.map(({ subject }: { subject: string }) => subject),
      [0, 1, 2, 3, 4, 5, 6, 7].map((i) => `S${i}`),
    )
    equal(ours.next, null)
    equal((await list('waitingFor=us&importance=high')).body.conversations.length, 1)
    const counts = (await call('GET', '/conversations/counts')).body
    deepEqual([counts.open, counts.waitingForUs], [84, 8])
  })

  it('I2: a segment follows fields of the cards, without a query, and says so where it can find nobody', async () => {
    const { call } = await given()
    const people = ['gold', 'gold', 'silver'].map((tier, i) => ({
      email: `i2-${i}@x.example`,
      fields: { tier },
    }))
    await call('POST', '/people/bulk', { people })
    const rules = [{ kind: 'only', field: 'fields.tier', in: ['gold'] }]
    const made = (await call('POST', '/segments', { rules })).body
    deepEqual([made.people ?? made.members, made.hint], [2, undefined], JSON.stringify(made))
    const none = (
      await call('POST', '/segments', {
        rules: [{ kind: 'only', field: 'fields.tier', in: ['red'] }],
      })
    ).body
    equal(typeof none.hint, 'string')
  })

  it('I3: a person is exported and erased', async () => {
    const { call } = await given()
    const { id } = (await call('POST', '/people', { email: 'i3@x.example' })).body
    const held = await call('GET', `/people/${id}/export`)
    deepEqual([held.status, held.body.person?.id ?? held.body.id], [200, id])
    deepEqual((await call('DELETE', `/people/${id}`)).body, { id, erased: true })
    equal((await call('GET', `/people/${id}`)).status, 404)
  })

  it('I4: POST /people takes the whole card', async () => {
    const { call } = await given()
    const card = {
      name: 'Ines',
      city: 'Porto',
      jobTitle: 'Cook',
      company: 'C',
      externalId: 'i4',
      fields: { n: 1 },
    }
    const made = await call('POST', '/people', {
      ...card,
      emails: ['i4@x.example', 'i4b@x.example'],
    })
    const read = (await call('GET', `/people/${made.body.id}`)).body
    for (const [name, value] of Object.entries(card)) deepEqual(read[name], value, name)
    deepEqual(read.emails, ['i4@x.example', 'i4b@x.example'])
  })

  it('I5: many people come as JSON, and their numbers stay numbers', async () => {
    const { call } = await given()
    const people = Array.from({ length: 300 }, (_, i) => ({
      externalId: `i5-${i}`,
      email: `i5-${i}@x.example`,
      fields: { seats: i },
    }))
    const { results } = (await call('POST', '/people/bulk', { people })).body
    equal(results.filter(({ outcome }: { outcome: string }) => outcome === 'created').length, 300)
    equal((await call('GET', '/people/ext:i5-7')).body.fields.seats, 7)
  })

  it('I6: people are found by address and number exactly, and named by their externalId', async () => {
    const { call, connections } = await given()
    const { id } = (
      await call('POST', '/people', {
        email: 'i6@x.example',
        phone: '+34 912 345 678',
        externalId: 'i6',
      })
    ).body
    for (const query of ['email=I6@x.example', 'phone=%2B34912345678', 'externalId=i6']) {
      const { people } = (await call('GET', `/people?${query}`)).body
      deepEqual(
        people.map((one: { id: string }) => one.id),
        [id],
        query,
      )
    }
    equal((await call('GET', '/people/ext:i6')).body.id, id)
    const segment = (
      await call('POST', '/segments', { rules: [{ kind: 'only', field: 'city', in: ['none'] }] })
    ).body.id
    equal((await call('POST', `/segments/${segment}/people`, { people: ['ext:i6'] })).body.added, 1)
    const wrong = await call('POST', `/segments/${segment}/people`, {
      people: ['ext:none', 'nobody'],
    })
    equal(wrong.status, 422)
    deepEqual(
      wrong.body.errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/people/0', '/people/1'],
    )
    equal(
      (
        await call('POST', '/conversations', {
          person: 'ext:i6',
          via: connections[0],
          text: 'Hello.',
        })
      ).body.conversation?.person,
      id,
    )
  })

  it('I7: a campaign of one letter lacks no other, and says which letter is not agreed', async () => {
    const { call } = await given()
    const one = (await call('POST', '/campaigns', { places: 1 })).body.campaign
    deepEqual([one.places, one.waitDays], [1, []])
    const letters = one.missing
      .map(({ message }: { message: string }) => message)
      .filter((text: string) => /[Ll]etter/.test(text))
    ok(
      letters.every((text: string) => !/[23]/.test(text)),
      letters.join(),
    )
    const two = (await call('POST', '/campaigns', { places: 2, waitDays: [7] })).body.campaign
    deepEqual([two.places, two.waitDays], [2, [7]])
  })

  it('I8: a webhook refuses a kind that nothing has, with the nearest, and takes all of a family', async () => {
    const { call } = await given()
    const url = 'https://93.184.216.34/hook'
    const wrong = await call('POST', '/webhooks', { url, kinds: ['message.recieved'] })
    deepEqual([wrong.status, wrong.body.errors[0].pointer], [422, '/kinds/0'])
    match(wrong.body.errors[0].message, /message\.received/)
    equal((await call('POST', '/webhooks', { url, kinds: ['touch.*'] })).status, 200)
  })

  it('I9: an event says what an integration needs, and what it names can be read', async () => {
    const { call } = await given()
    const key = randomUUID()
    const person = (await call('POST', '/people', { email: 'i9@x.example', externalId: 'i9' })).body
      .id
    const stopped = await call('POST', '/suppressions', { address: 'i9@x.example' }, { key })
    equal(stopped.status, 200, stopped.text)
    const [event] = await eventually(
      async () => (await call('GET', '/events?kinds=suppression.added')).body.events,
      (events) => events.length > 0,
    )
    const { client, ...data } = event.data
    deepEqual([data.person, data.externalId, data.key, client.name], [person, 'i9', key, 'tests'])
    equal((await call('GET', `/suppressions/${event.resource}`)).body.id, event.resource)
  })

  it('I10: events are read from now on, of some kinds, and waited for', async () => {
    const { call } = await given()
    await call('POST', '/people', { email: 'i10@x.example' })
    const from = await eventually(
      async () => (await call('GET', '/events?from=now')).body,
      ({ events }) => events.length === 0,
    )
    const waited = call(
      'GET',
      `/events?cursor=${encodeURIComponent(from.cursor ?? from.next)}&wait=20`,
    )
    await call('POST', '/people', { email: 'i10b@x.example' })
    deepEqual(
      (await waited).body.events.map(({ kind }: { kind: string }) => kind),
      ['person.created'],
    )
    equal((await call('GET', '/events?kinds=message.none')).status, 400)
  })

  it('I11: an answer that asks for an offer counts as interest', async () => {
    const workspace = await given()
    const { call } = workspace
    const client = await givenClient(service.db, workspace, service.clock.now())
    const { campaign, ids } = await lettersTo(service, { ...workspace, ...client } as never)
    const conversation = client.conversation
    await service.db
      .updateTable('touches')
      .set({ conversation })
      .where('id', '=', ids[0] ?? '')
      .execute()
    await service.db
      .updateTable('conversations')
      .set({ intent: 'quote' })
      .where('id', '=', conversation)
      .execute()
    const { funnel } = (await call('GET', `/campaigns/${campaign}`)).body
    equal(funnel.interested, 1, JSON.stringify(funnel))
    const { people } = (await call('GET', `/campaigns/${campaign}/people?outcome=interested`)).body
    equal(people.length, 1)
  })

  it('I12: candidates have an id, an account and a name, and a member has a default account', async () => {
    const { call, connections, member } = await given()
    await call('POST', '/people', { email: 'i12@x.example' })
    const write = () => call('POST', '/conversations', { to: 'i12@x.example', text: 'Hello.' })
    const unsure = (await write()).body
    equal(unsure.code, 'sender_ambiguous')
    deepEqual(
      unsure.candidates.map((one: object) => Object.keys(one)),
      [
        ['id', 'account', 'name'],
        ['id', 'account', 'name'],
      ],
    )
    equal(
      (await call('PATCH', `/members/${member}`, { defaultConnection: connections[1] })).status,
      200,
    )
    equal((await write()).body.message.via, connections[1])
  })

  it('I13: operations are found by key and by id, listed by state, and waited for', async () => {
    const { id, call, connections } = await given()
    const key = randomUUID()
    const body = { to: 'i13@x.example', text: 'Hello.', via: connections[0] }
    equal((await call('POST', '/conversations', body, { key })).status, 200)
    const one = (await call('GET', `/operations/${key}?wait=20`)).body
    deepEqual([one.id, one.state], [`${id}:${key}`, 'done'])
    equal((await call('GET', `/operations/${encodeURIComponent(one.id)}`)).body.id, one.id)
    const { operations } = (await call('GET', '/operations?state=done')).body
    ok(operations.some((each: { id: string }) => each.id === one.id))
  })

  it('I14: the feed and webhooks tell an event with the same members', async () => {
    const { call } = await given()
    const document = await (await fetch(`${service.url}/openapi.json`)).text()
    match(document, /"webhooks":\{[\s\S]*"person\.created":\{"post"/)
    await call('POST', '/people', { email: 'i14@x.example' })
    const [event] = await eventually(
      async () => (await call('GET', '/events')).body.events,
      (all) => all.length > 0,
    )
    deepEqual(Object.keys(event), ['id', 'at', 'kind', 'resource', 'data', 'cursor'])
  })

  it('I15: what has several names is told in one place', async () => {
    const page = await (await fetch(`${service.url}/docs`)).text()
    for (const word of ['channel', 'connection', 'letter', 'touch'])
      match(page, new RegExp(word, 'i'))
  })

  it('I16: a segment is renamed, and a preview shows the variant that the person gets', async () => {
    const { call } = await given()
    const person = (await call('POST', '/people', { name: 'Ann', email: 'i16@x.example' })).body.id
    const segment = (
      await call('POST', '/segments', { rules: [{ kind: 'only', field: 'city', in: ['x'] }] })
    ).body.id
    equal((await call('PATCH', `/segments/${segment}`, { name: 'Gold' })).body.name, 'Gold')
    const campaign = (await call('POST', '/campaigns', {})).body
    const id = campaign.id ?? campaign.campaign.id
    const templates = ['a', 'b'].map((variant) => ({
      place: 1,
      variant,
      weight: 50,
      subject: variant,
      text: `Letter ${variant}`,
    }))
    // Which of them a person gets is fixed, so each is previewed by being the only one given.
    for (const template of templates) {
      const shown = await call('POST', `/campaigns/${id}/letters`, {
        templates: [template],
        preview: { person, place: 1 },
      })
      deepEqual(
        [shown.body.preview?.text, shown.body.preview?.variant],
        [template.text, template.variant],
        shown.text,
      )
    }
  })

  it('I17: a refusal of an unknown member or parameter names those that are known', async () => {
    const { call } = await given()
    const member = (
      await call('POST', '/webhooks', { url: 'https://93.184.216.34/', events: ['x'] })
    ).body
    const [{ code, message, pointer }] = member.errors
    deepEqual([code, pointer], ['unknown_member', '/events'])
    match(message, /kinds.*url|url.*kinds/)
    const query = await call('GET', '/people?name=Ann')
    deepEqual(
      [query.status, query.body.code, query.body.errors[0].parameter],
      [400, 'invalid_query', 'name'],
    )
    match(query.body.errors[0].message, /externalId/)
    ok(!/member/.test(query.body.errors[0].message), query.body.errors[0].message)
  })

  it('I18: of two who change a card, the second is told', async () => {
    const { call } = await given()
    const { id } = (await call('POST', '/people', { email: 'i18@x.example' })).body
    const tag = (await call('GET', `/people/${id}`)).headers.get('etag') ?? ''
    const edit = (city: string) =>
      call('PATCH', `/people/${id}`, { city }, { headers: { 'if-match': tag } })
    equal((await edit('Porto')).status, 200)
    deepEqual(
      [(await edit('Rome')).status, (await edit('Rome')).body.code],
      [412, 'changed_meanwhile'],
    )
    notEqual((await call('GET', `/people/${id}`)).headers.get('etag'), tag)
  })

  it('I19: the members of a result come in one order, whichever way it is read', async () => {
    const { call } = await given()
    const file = {
      name: 'a.csv',
      content: Buffer.from('name,email\nAnn,i19@x.example\n').toString('base64'),
    }
    const orders: string[] = []
    for (let i = 0; i < 2; i++) {
      const key = randomUUID()
      const first = await call('POST', '/people/import', { file, commit: true }, { key })
      equal(first.status, 200, first.text)
      const done = await eventually(
        async () => (await call('GET', `/operations/${key}`)).body,
        ({ state }) => state === 'done',
      )
      orders.push(
        Object.keys(done.result.rows).join(),
        Object.keys(first.body.rows ?? done.result.rows).join(),
      )
      const again = await call('POST', '/people/import', { file, commit: true }, { key })
      orders.push(Object.keys(again.body.rows ?? done.result.rows).join())
      const { rows } = (await call('GET', `/people/import/${key}/rows`)).body
      match(JSON.stringify(rows[0]), /^\{"row":\d+,"outcome":/)
    }
    equal(new Set(orders).size, 1, orders.join(' | '))
  })
})
