import { deepEqual, equal, ok } from 'node:assert/strict'
import { auditedActions } from '../../support/audited.ts'
import { shownEvents, withoutCall } from '../../support/events.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('people', () => {
  let service: TestService
  before(async function () {
    this.timeout(120_000)
    service = await startService()
  })
  after(() => service.close())

  describe('POST /people', () => {
    it('creates a card and shows it in every member', async () => {
      const { call } = await service.workspace()
      const { status, body } = await call('POST', '/people', {
        name: 'Ada Lovelace',
        email: 'Ada@Example.TEST',
        phone: '+49 30 123456',
        company: 'Engines',
        linkedin: 'https://www.linkedin.com/in/Ada/?trk=x',
      })
      equal(status, 200)
      const { id, createdAt, updatedAt, ...rest } = body
      ok(/^per_/.test(id) && createdAt <= updatedAt)
      deepEqual(rest, {
        name: 'Ada Lovelace',
        city: '',
        jobTitle: '',
        company: 'Engines',
        email: 'ada@example.test',
        phone: '+4930123456',
        linkedin: 'https://www.linkedin.com/in/Ada/?trk=x',
        emails: ['ada@example.test'],
        phones: ['+4930123456'],
        tags: [],
        removedTags: [],
        held: null,
        externalId: null,
        fields: {},
        suppressed: [],
        created: true,
      })
      const { created, ...person } = body
      deepEqual((await call('GET', `/people/${id}`)).body, person)
      deepEqual(await auditedActions(call), ['person.created'])
    })

    it('needs only one address of any kind', async () => {
      const { call } = await service.workspace()
      for (const body of [
        { email: 'a@b.test' },
        { phone: '030 123456' },
        { linkedin: 'linkedin.com/in/x' },
      ]) {
        const { status, body: person } = await call('POST', '/people', body)
        equal(status, 200, JSON.stringify(body))
        equal(person.name, '')
      }
    })

    const refused: [object, string][] = [
      [{}, ''],
      [{ name: 'Nobody' }, ''],
      [{ email: null, phone: '' }, ''],
      [{ email: 'not an address' }, '/email'],
      [{ email: 'a@b' }, '/email'],
      [{ phone: '1234' }, '/phone'],
      [{ phone: '1'.repeat(21) }, '/phone'],
      [{ phone: 'call me' }, '/phone'],
      [{ linkedin: 'two words' }, '/linkedin'],
      [{ email: 'a@b.test', surname: 'x' }, '/surname'],
      [{ email: 'a@b.test', into: 'per_nobody' }, '/into'],
      [{ email: 'a@b.test', name: 7 }, '/name'],
    ]
    for (const [body, pointer] of refused)
      it(`refuses ${JSON.stringify(body)} at "${pointer}"`, async () => {
        const { call } = await service.workspace()
        const reply = await call('POST', '/people', body)
        equal(reply.status, 422, reply.text)
        equal(reply.body.code, 'validation_failed')
        equal(reply.body.errors[0].pointer, pointer)
        deepEqual((await call('GET', '/people')).body.people, [])
      })

    it('completes the card of a known address and overwrites nothing', async () => {
      const { call } = await service.workspace()
      const first = await call('POST', '/people', { name: 'Ann', email: 'ann@x.test' })
      const second = await call('POST', '/people', {
        name: 'Other',
        company: 'Acme',
        email: 'ANN@x.test',
        phone: '+4930123456',
      })
      equal(second.body.created, false)
      equal(second.body.id, first.body.id)
      deepEqual(
        [second.body.name, second.body.company, second.body.emails, second.body.phones],
        ['Ann', 'Acme', ['ann@x.test'], ['+4930123456']],
      )
      const same = await call('POST', '/people', { phone: '0049 30 123456' })
      equal(same.body.id, first.body.id)
      equal(same.body.updatedAt, second.body.updatedAt)
      equal((await auditedActions(call)).length, 2)
    })

    it('appends to the card given as `into`', async () => {
      const { call } = await service.workspace()
      const { body: ann } = await call('POST', '/people', { name: 'Ann', email: 'ann@x.test' })
      const { body } = await call('POST', '/people', {
        into: ann.id,
        email: 'ann@work.test',
        linkedin: 'linkedin.com/in/ann',
      })
      equal(body.created, false)
      deepEqual(
        [body.id, body.email, body.emails],
        [ann.id, 'ann@x.test', ['ann@x.test', 'ann@work.test']],
      )
    })

    it('refuses addresses of two cards, and `into` with the address of another card, naming the members', async () => {
      const { call } = await service.workspace()
      const { body: ann } = await call('POST', '/people', { email: 'ann@x.test' })
      await call('POST', '/people', { phone: '+4930123456' })
      const two = await call('POST', '/people', { email: 'ann@x.test', phone: '+4930123456' })
      equal(two.status, 422)
      deepEqual(
        two.body.errors.map((e: { pointer: string }) => e.pointer),
        ['/email', '/phone'],
      )
      const into = await call('POST', '/people', {
        into: ann.id,
        email: 'ann@x.test',
        phone: '+4930123456',
      })
      equal(into.status, 422)
      deepEqual(
        into.body.errors.map((e: { pointer: string }) => e.pointer),
        ['/phone'],
      )
    })

    it('creates two cards for two people who share a number', async () => {
      const { call } = await service.workspace()
      const phone = '+49 30 123456'
      const make = async (body: object) => (await call('POST', '/people', { phone, ...body })).body
      const ann = await make({ name: 'Ann', email: 'ann@x.test' })
      const bob = await make({ name: 'Bob', email: 'bob@x.test' })
      deepEqual([bob.created, bob.emails, bob.phones], [true, ['bob@x.test'], ['+4930123456']])
      // Each is matched by their own address, and completed.
      const again = await make({ email: 'ANN@x.test', company: 'Acme' })
      deepEqual([again.id, again.created, again.company], [ann.id, false, 'Acme'])
      const profile = await make({ linkedin: 'linkedin.com/in/bob', email: 'bob@x.test' })
      deepEqual([profile.id, profile.phones], [bob.id, ['+4930123456']])
      // The number alone matches neither.
      const { status, body } = await call('POST', '/people', { phone })
      deepEqual(
        [status, body.errors[0].pointer, body.errors[0].code],
        [422, '/phone', 'matches_two'],
      )
      // `into` says which card is meant; it does not add somebody else's number unless the number can be shared.
      const cem = (await call('POST', '/people', { email: 'cem@x.test' })).body
      const into = await make({ into: cem.id })
      deepEqual([into.id, into.phones], [cem.id, ['+4930123456']])
      equal((await make({ into: ann.id })).id, ann.id)
      equal((await call('GET', '/people')).body.people.length, 3)
    })

    it('matches by number a person who has no e-mail address yet', async () => {
      const { call } = await service.workspace()
      const phone = '+4930123456'
      const ann = (await call('POST', '/people', { phone, name: 'Ann' })).body
      const known = (await call('POST', '/people', { phone, email: 'ann@x.test' })).body
      deepEqual([known.id, known.emails], [ann.id, ['ann@x.test']])
      equal((await call('POST', '/people', { phone })).body.id, ann.id)
    })

    it('reports a new card and a completed one, with the members that it gained', async () => {
      const { id, call } = await service.workspace()
      const { body: ann } = await call('POST', '/people', { name: 'Ann', email: 'ann@x.test' })
      await call('POST', '/people', { email: 'ann@x.test', phone: '+4930123456', name: 'Anna' })
      await call('POST', '/people', { email: 'ann@x.test' })
      const told = await shownEvents(service, { id, call })
      deepEqual(
        told.map(({ kind, resource, data }) => [kind, resource, withoutCall(data)]),
        [
          ['person.created', ann.id, { members: ['name', 'email'] }],
          ['person.edited', ann.id, { members: ['phone'] }],
        ],
      )
      const lines = (await call('GET', '/audit')).body.entries
      deepEqual(
        lines.map(({ action, after }: Record<string, unknown>) => [action, after]),
        [
          ['person.edited', { phone: '+4930123456' }],
          ['person.created', { name: 'Ann', email: 'ann@x.test' }],
        ],
      )
    })

    it('creates one card for many simultaneous calls with the same addresses', async () => {
      const { call } = await service.workspace()
      const replies = await Promise.all(
        Array.from({ length: 16 }, (_, i) =>
          call(
            'POST',
            '/people',
            i % 2
              ? { email: 'one@x.test', phone: '+4930123456' }
              : { phone: '+4930123456', email: 'ONE@x.test' },
          ),
        ),
      )
      deepEqual([...new Set(replies.map(({ status }) => status))], [200])
      equal(new Set(replies.map(({ body }) => body.id)).size, 1)
      equal(replies.filter(({ body }) => body.created).length, 1)
      equal((await call('GET', '/people')).body.people.length, 1)
    })

    it('keeps workspaces apart', async () => {
      const [one, other] = [await service.workspace(), await service.workspace()]
      const { body: ann } = await one.call('POST', '/people', { email: 'ann@x.test' })
      const { body } = await other.call('POST', '/people', { email: 'ann@x.test' })
      equal(body.created, true)
      equal((await other.call('GET', `/people/${ann.id}`)).status, 404)
      equal((await other.call('POST', '/people', { into: ann.id, email: 'b@x.test' })).status, 422)
    })
  })

  describe('profile addresses', () => {
    const forms = [
      'https://www.linkedin.com/in/ada',
      'http://linkedin.com/in/ADA/',
      'linkedin.com/in/ada?x=1',
      'de.linkedin.com/in/ada#top',
      'ada',
      '@Ada',
    ]
    it('match however they are written', async () => {
      const { call } = await service.workspace()
      const ids = new Set<string>()
      for (const linkedin of forms) ids.add((await call('POST', '/people', { linkedin })).body.id)
      equal(ids.size, 1)
    })
  })
})
