import { deepEqual, equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { findPeopleByKeys } from '../../../db/people/people.ts'
import { auditedActions } from '../../support/audited.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('people', () => {
  let service: TestService
  before(async function () {
    this.timeout(120_000)
    service = await startService()
  })
  after(() => service.close())

  describe('GET /people', () => {
    it('pages by name whatever its case, the nameless first', async () => {
      const { call } = await service.workspace()
      for (const name of ['bob', 'Ada', '', 'cleo', 'Bea', 'Ödön'])
        await call('POST', '/people', { name, email: `${randomUUID()}@x.test` })
      const names: string[] = []
      let next = ''
      do {
        const { body } = await call('GET', `/people?limit=2&cursor=${next}`)
        names.push(...body.people.map((person: { name: string }) => person.name))
        next = body.next
      } while (next)
      deepEqual(names, ['', 'Ada', 'Bea', 'bob', 'cleo', 'Ödön'])
    })

    it('pages through the longest names', async () => {
      const { call } = await service.workspace()
      for (let i = 0; i < 2; i++)
        await call('POST', '/people', { name: '漢'.repeat(200), email: `${i}@x.test` })
      const { body } = await call('GET', '/people?limit=1')
      equal((await call('GET', `/people?limit=1&cursor=${body.next}`)).body.people.length, 1)
    })

    it('finds words in any order, whatever their accents', async () => {
      const { call } = await service.workspace()
      const cards = ['Anna Größ', 'Jürgen Müller', 'Jose Alvarez']
      for (const [i, name] of cards.entries())
        await call('POST', '/people', { name, email: `p${i}@x.test`, company: 'Acme' })
      const names = async (q: string) =>
        (await call('GET', `/people?q=${encodeURIComponent(q)}`)).body.people.map(
          (person: { name: string }) => person.name,
        )
      deepEqual(await names('Größ Anna'), ['Anna Größ'])
      deepEqual(await names('muller'), ['Jürgen Müller'])
      deepEqual(await names('ÁLVAREZ acme p2@'), ['Jose Alvarez'])
      deepEqual(await names('Anna Müller'), [])
    })

    it('finds any part of a word, wherever it stands on the card', async () => {
      const { call } = await service.workspace()
      const cards = [
        {
          name: 'Anna Lindqvist',
          email: 'a.lindqvist+x@north-sea.example',
          jobTitle: 'Einkäuferin',
        },
        { name: 'Bo', email: 'bo@x.test', city: 'Malmö', phone: '+49 (0)171 555-123' },
        { name: '田中太郎', email: 'tanaka@x.test', company: '東京ガス' },
      ]
      for (const card of cards) await call('POST', '/people', card)
      const names = async (q: string) =>
        (await call('GET', `/people?q=${encodeURIComponent(q)}`)).body.people.map(
          (person: { name: string }) => person.name,
        )
      const anna = [cards[0]?.name]
      for (const q of ['dqvi', 'st', 't', 'x@north', 'h-sea', 'kauf', 'EINK', 'rin', 'in lind'])
        deepEqual((await names(q)).includes(cards[0]?.name), true, q)
      deepEqual(await names('lindqvist kauf'), anna)
      deepEqual(await names('almo'), ['Bo'])
      deepEqual(await names('bo malmö'), ['Bo'])
      deepEqual(await names('71555'), ['Bo'])
      deepEqual(await names('京ガ'), ['田中太郎'])
      deepEqual(await names('太'), ['田中太郎'])
      deepEqual(await names('lindqvistt'), [])
      deepEqual(await names('@north anna'), anna)
      equal((await names('@')).length, 3)
      // An edit of what a search does not find is found too.
      const [bo] = (await call('GET', '/people?q=malm')).body.people
      await call('PATCH', `/people/${bo.id}`, { city: 'Lund', jobTitle: 'Kapten' })
      deepEqual(
        [await names('malm'), await names('und'), await names('apte')],
        [[], ['Bo'], ['Bo']],
      )
    })

    it('filters by words, product and side', async () => {
      const { call, product } = await service.workspace()
      const { body: ann } = await call('POST', '/people', {
        name: 'Ann',
        email: 'ann@x.test',
        company: '100% Ltd',
      })
      const { body: bob } = await call('POST', '/people', { name: 'Bob', email: 'bob@y.test' })
      await call('POST', `/people/${bob.id}/tags`, { label: product, side: 'buyer' })
      const ids = async (query: string) =>
        (await call('GET', `/people?${query}`)).body.people.map(
          (person: { id: string }) => person.id,
        )
      deepEqual(await ids('q=ANN'), [ann.id])
      deepEqual(await ids('q=y.test'), [bob.id])
      deepEqual(await ids('q=100%25'), [ann.id])
      deepEqual(await ids('q=_'), [])
      deepEqual(await ids(`label=${product}`), [bob.id])
      deepEqual(await ids(`label=${product}&side=seller`), [])
      deepEqual(await ids('side=buyer'), [bob.id])
      deepEqual(await ids('label=nothing'), [])
      deepEqual(await ids('side=client'), [bob.id])
      equal((await call('GET', '/people?side=both')).status, 400)
    })
  })

  describe('PATCH /people/{id}', () => {
    it('changes what is given, erases the name, and leaves no trace when nothing changes', async () => {
      const { call } = await service.workspace()
      const { body: ann } = await call('POST', '/people', {
        name: 'Ann',
        email: 'ann@x.test',
        company: 'Acme',
      })
      const { body } = await call('PATCH', `/people/${ann.id}`, {
        name: '',
        city: 'Berlin',
        jobTitle: 'CTO',
        company: null,
      })
      deepEqual([body.name, body.city, body.jobTitle, body.company], ['', 'Berlin', 'CTO', 'Acme'])
      const nothing = await call('PATCH', `/people/${ann.id}`, {})
      deepEqual(nothing.body, body)
      await call('PATCH', `/people/${ann.id}`, { city: 'Berlin' })
      deepEqual(await auditedActions(call), ['person.edited', 'person.created'])
      equal((await call('PATCH', '/people/per_nobody', { name: 'x' })).status, 404)
      equal((await call('PATCH', `/people/${ann.id}`, { email: 'b@x.test' })).status, 422)
    })
  })

  it('are found by contact keys of every kind', async () => {
    const { call, id } = await service.workspace()
    const { body: ann } = await call('POST', '/people', {
      email: 'ann@x.test',
      phone: '+4930123456',
    })
    const { body: bob } = await call('POST', '/people', { linkedin: 'linkedin.com/in/bob' })
    const keys = [
      'https://linkedin.com/in/BOB/',
      'x@y.test',
      ann.id,
      'ANN@x.test',
      '0049 30 123456',
    ]
    deepEqual(await findPeopleByKeys(service.db, id, keys), {
      people: [bob.id, ann.id],
      unknown: ['x@y.test'],
    })
    // A number that two people share matches neither.
    await call('POST', '/people', { email: 'cem@x.test', phone: '+4930123456' })
    deepEqual(await findPeopleByKeys(service.db, id, ['0049 30 123456']), {
      people: [],
      unknown: ['0049 30 123456'],
    })
  })
})
