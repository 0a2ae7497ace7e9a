import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { eventsOf } from '../../support/events.ts'
import { givenConversation } from '../../support/given.ts'
import { givenCampaign } from '../../support/given-campaign.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { eventually, type SharedService, sharedService } from '../../support/service.ts'

describe('POST /people/{id}/merge', function () {
  this.timeout(60_000)
  let service: SharedService
  let mail: MailSink
  before(async function () {
    service = await sharedService(this.test?.ctx)
    mail = await testMail()
  })
  beforeEach(() => mail.script({}))

  /** A workspace with these people. */
  async function given(...people: object[]) {
    const workspace = await service.workspace({ smtpPort: mail.smtpPort })
    const { call } = workspace
    const ids: string[] = []
    for (const person of people) {
      const { body, text, status } = await call('POST', '/people', person)
      equal(status, 200, text)
      ids.push(body.id)
    }
    return {
      ...workspace,
      ids,
      merge: (id: string, from: string[], key?: string) =>
        call('POST', `/people/${id}/merge`, { from }, key ? { key } : {}),
      read: async (id: string) => (await call('GET', `/people/${id}`)).body,
    }
  }

  it('makes one card of several, to which the ids of the others lead', async () => {
    const { call, ids, merge, read } = await given(
      { name: 'Anna', email: 'anna@x.test', phone: '+4930123456', fields: { tier: 'gold' } },
      {
        ...{ name: 'A. Cole', company: 'Cole', emails: ['ann@x.test', 'a@x.test'] },
        ...{ phone: '+4930123457', fields: { tier: 'silver', seats: 4 }, externalId: 'crm-2' },
      },
      { name: 'Ann', city: 'Porto', linkedin: 'linkedin.com/in/ann-cole' },
    )
    const [a = '', b = '', c = ''] = ids
    const key = randomUUID()
    const { status, body, text } = await merge(a, [b, c], key)
    equal(status, 200, text)
    deepEqual(
      [body.id, body.name, body.company, body.city, body.externalId],
      [a, 'Anna', 'Cole', 'Porto', 'crm-2'],
    )
    deepEqual(body.emails, ['anna@x.test', 'ann@x.test', 'a@x.test'])
    deepEqual(body.phones, ['+4930123456', '+4930123457'])
    deepEqual(body.fields, { tier: 'gold', seats: 4 })
    ok(body.linkedin)
    deepEqual(await read(a), body)
    equal((await merge(a, [b, c], key)).text, text)
    for (const id of [b, c]) deepEqual(await read(id), { ...body, mergedInto: a })
    deepEqual(
      (await call('GET', '/people')).body.people.map(({ id }: { id: string }) => id),
      [a],
    )
    equal((await call('GET', '/people/ext:crm-2')).body.id, a)
    equal((await call('POST', '/people', { email: 'ann@x.test' })).body.id, a)
    const [told] = await eventsOf(call, ({ kind }) => kind === 'person.merged', 1)
    deepEqual(
      { ...told, data: { ...told?.data } },
      { ...told, resource: a, data: { ...told?.data, from: [b, c] } },
    )
    const exported = (await call('GET', `/people/${b}/export`)).body
    deepEqual(
      [exported.person.id, exported.merged.map(({ id }: { id: string }) => id)],
      [a, [b, c].sort()],
    )
    ok(exported.audit.some(({ resource }: { resource: string }) => resource === c))
  })

  it('leads in one step, however often cards were merged', async () => {
    const { ids, merge, read, call } = await given(
      { email: 'a@x.test' },
      { email: 'b@x.test' },
      { email: 'c@x.test' },
    )
    const [a = '', b = '', c = ''] = ids
    equal((await merge(b, [c])).status, 200)
    equal((await merge(a, [b])).status, 200)
    for (const id of [b, c]) equal((await read(id)).mergedInto, a)
    const refused = await merge(c, [a])
    deepEqual([refused.status, refused.body.code, refused.body.mergedInto], [409, 'merged', a])
    const again = await merge(a, [b])
    deepEqual(
      [again.status, again.body.code, again.body.errors[0].pointer],
      [409, 'merged', '/from/0'],
    )
    for (const [method, path, body] of [
      ['PATCH', '', { city: 'Porto' }],
      ['POST', '/split', { emails: ['b@x.test'] }],
      ['POST', '/tags', { label: 'x', side: 'buyer' }],
    ] as const) {
      const { status, body: problem } = await call(method, `/people/${b}${path}`, body)
      deepEqual([status, problem.code, problem.mergedInto], [409, 'merged', a], path)
    }
    const into = await call('POST', '/people', { into: c, email: 'd@x.test' })
    deepEqual([into.body.code, into.body.errors[0].pointer], ['merged', '/into'])
  })

  it('refuses cards that are different people, unknown ones and itself', async () => {
    const { ids, merge, call, agent, product } = await given(
      { email: 'a@x.test', externalId: 'crm-1' },
      { email: 'b@x.test', externalId: 'crm-2' },
      { email: 'c@x.test' },
      { email: 'd@x.test' },
    )
    const [a = '', b = '', c = '', d = ''] = ids
    const deal = await call('POST', '/deals', { label: product, agent, seller: c, buyer: d })
    equal(deal.status, 200, deal.text)
    const theirs = await given({ email: 'e@x.test' })
    const table: [string[], number, string, string | undefined][] = [
      [[b], 409, 'conflict', '/from/0'],
      [[c, d], 409, 'conflict', undefined],
      [[c, 'per_nobody'], 422, 'validation_failed', '/from/1'],
      [[theirs.ids[0] as string], 422, 'validation_failed', '/from/0'],
      [[a], 422, 'validation_failed', '/from/0'],
      [[], 422, 'validation_failed', '/from'],
    ]
    for (const [from, status, code, pointer] of table) {
      const reply = await merge(a, from)
      deepEqual(
        [reply.status, reply.body.code, reply.body.errors?.[0].pointer],
        [status, code, pointer],
        reply.text,
      )
    }
    equal((await merge('per_nobody', [c])).status, 404)
    equal((await merge(a, ['ext:crm-1', c])).status, 422)
    equal((await merge(c, ['ext:crm-1'])).body.externalId, 'crm-1')
  })

  it('moves what hangs on the others', async () => {
    const { ids, merge, call, db, id, connections, product, agent } = {
      ...(await given(
        { email: 'a@x.test' },
        { email: 'b@x.test', phone: '+4930555' },
        { email: 'c@x.test' },
      )),
      db: service.db,
    }
    const [a = '', b = '', c = ''] = ids
    const at = service.clock.now()
    const conversation = await givenConversation(db, id, {
      ...{ person: b, connection: connections[0], from: 'b@x.test', at },
    })
    await call('POST', `/people/${b}/tags`, { label: product, side: 'buyer' })
    await call('POST', `/people/${a}/tags`, { label: product, side: 'buyer' })
    await call('DELETE', `/people/${a}/tags?label=${product}&side=buyer`)
    const deal = await call('POST', '/deals', { label: product, agent, seller: b, buyer: c })
    equal(deal.status, 200, deal.text)
    const { body, status, text } = await merge(a, [b])
    equal(status, 200, text)
    deepEqual([body.tags, body.removedTags], [[{ label: product, side: 'buyer' }], []])
    equal((await call('GET', `/conversations/${conversation}`)).body.person, a)
    equal((await call('GET', `/conversations?person=${b}`)).body.conversations[0].id, conversation)
    equal((await call('GET', '/deals')).body.deals[0].seller, a)
    // A key of a list may be an id that was merged.
    const segment = await call('POST', '/segments', { query: 'anybody' })
    const members = `/segments/${segment.body.id ?? segment.body.segment}/people`
    const added = await call('POST', members, { people: [b] })
    equal(added.status, 200, added.text)
    const shown = (await call('GET', members)).body.people.map(({ id }: { id: string }) => id)
    ok(shown.includes(a) && !shown.includes(b))
  })

  it('lets what forbids letters win', async () => {
    const { ids, merge, call, read } = await given(
      { email: 'a@x.test' },
      { email: 'b@x.test' },
      { email: 'c@x.test' },
    )
    const [a = '', b = '', c = ''] = ids
    await call('POST', '/suppressions', { address: 'b@x.test' })
    await call('PATCH', `/people/${b}`, { held: { why: 'Away' } })
    await call('PATCH', `/people/${a}`, {
      held: { until: new Date(service.clock.now().getTime() + 60_000).toISOString(), why: 'Soon' },
    })
    equal((await merge(a, [b])).status, 200)
    const card = await read(a)
    deepEqual(card.held, { until: null, why: 'Away' })
    deepEqual(
      card.suppressed.map(({ address }: { address: string }) => address),
      ['a@x.test', 'b@x.test'],
    )
    equal((await merge(c, [a])).status, 200)
    equal((await read(c)).suppressed.length, 3)
  })

  it('ends in one card when merges overlap', async () => {
    const { ids, merge, read, call } = await given(
      { email: 'a@x.test' },
      { email: 'b@x.test' },
      { email: 'c@x.test' },
    )
    const [a = '', b = '', c = ''] = ids
    const key = randomUUID()
    const replies = await Promise.all([
      merge(a, [b], key),
      merge(b, [a]),
      merge(b, [c]),
      merge(c, [a, b]),
      merge(a, [b], key),
    ])
    for (const { status, body, text } of replies)
      ok(status === 200 || (status === 409 && body.code === 'merged'), text)
    ok(replies.some(({ status }) => status === 200))
    // Whichever came first: each address is on one card, and each id leads to one that is there.
    const { people } = (await call('GET', '/people')).body as {
      people: { id: string; emails: string[] }[]
    }
    deepEqual(people.flatMap(({ emails }) => emails).sort(), ['a@x.test', 'b@x.test', 'c@x.test'])
    for (const id of ids) ok(people.some((card) => card.id === id) || (await read(id)).mergedInto)
  })

  it('moves campaign letters, also one on its way, and nobody gets a letter twice', async () => {
    const campaign = await givenCampaign(service, mail, { people: 3, places: [1, 2] })
    const { call, people, move, campaign: id } = campaign
    const [one = '', two = '', three = ''] = people
    const over = Promise.withResolvers<undefined>()
    mail.script({ onData: () => over.promise })
    await move('running')
    const touches = async () =>
      (await call('GET', `/campaigns/${id}/touches`)).body.touches as Record<string, string>[]
    const begun = await eventually(touches, (all) => all.some(({ state }) => state === 'sending'))
    // The card whose letter is being sent becomes part of another one, and so does one whose letter waits.
    const sending = begun.find(({ state }) => state === 'sending')?.['person'] ?? ''
    const [card = '', waiting = ''] = [one, two, three].filter((person) => person !== sending)
    const { status, text } = await call('POST', `/people/${card}/merge`, {
      from: [sending, waiting],
    })
    equal(status, 200, text)
    over.resolve(undefined)
    const all = await eventually(
      touches,
      (now) =>
        now.some(({ state }) => state === 'sent') && now.some(({ place }) => Number(place) === 2),
    )
    ok(all.every(({ person }) => person === card))
    deepEqual(
      all.map(({ place, state, reason }) => `${place} ${state} ${reason ?? ''}`.trim()).sort(),
      ['1 failed skipped', '1 failed skipped', '1 sent', '2 queued'],
    )
    equal(campaign.letters().length, 1)
    const funnel = (await campaign.read()).campaign?.funnel ?? (await campaign.read()).funnel
    equal(funnel.people, 1)
    equal((await call('GET', `/segments/${campaign.segment}/people`)).body.people.length, 1)
  })
})
