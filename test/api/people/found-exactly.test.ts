import { deepEqual, equal } from 'node:assert/strict'
import { type SharedService, sharedService } from '../../support/service.ts'

describe('people found by what is known of them', () => {
  let service: SharedService
  before(async function () {
    service = await sharedService(this.test?.ctx)
  })

  async function given() {
    const workspace = await service.workspace()
    const make = async (body: Record<string, unknown>): Promise<string> => {
      const { status, body: person, text } = await workspace.call('POST', '/people', body)
      equal(status, 200, text)
      return person.id
    }
    const ana = await make({
      name: 'Ana',
      emails: ['ana@first.example', 'ana@second.example'],
      phone: '+351 912 345 678',
      externalId: 'crm/7',
      fields: { tier: 'gold', 'a b': 'x' },
    })
    const bob = await make({
      name: 'Bob',
      email: 'bob@first.example',
      linkedin: 'https://www.linkedin.com/in/bob-fox',
      externalId: 'crm-8',
    })
    const found = async (query: string) => {
      const { status, body, text } = await workspace.call('GET', `/people?${query}`)
      equal(status, 200, text)
      return body.people.map(({ name }: { name: string }) => name)
    }
    return { ...workspace, ana, bob, found }
  }

  it('are found by an address in any of its spellings', async () => {
    const { found } = await given()
    deepEqual(await found('email=ANA%40Second.example'), ['Ana'])
    deepEqual(await found('email=an'.concat('a%40third.example')), [])
    deepEqual(await found('phone=%2B351912345678'), ['Ana'])
    deepEqual(await found(`linkedin=${encodeURIComponent('linkedin.com/in/bob-fox/')}`), ['Bob'])
    deepEqual(await found('email=bob%40first.example&q=bo'), ['Bob'])
    deepEqual(await found('email=bob%40first.example&phone=%2B351912345678'), [])
    deepEqual(await found('email=ana%40first.example&phone=%2B351912345678'), ['Ana'])
    deepEqual(await found('email=ana%40first.example&field.tier=gold&side=buyer'), [])
  })

  it('are not looked for by what is no address', async () => {
    const { call } = await given()
    for (const [parameter, value] of [
      ['email', 'nobody'],
      ['phone', 'call me'],
      ['linkedin', ''],
    ]) {
      const { status, body } = await call('GET', `/people?${parameter}=${value}`)
      deepEqual([status, body.code, body.errors[0].parameter], [400, 'invalid_query', parameter])
    }
  })

  it('are found by field[NAME] as by field.NAME', async () => {
    const { call, found } = await given()
    deepEqual(await found('field[tier]=gold'), ['Ana'])
    deepEqual(await found('field%5Btier%5D=gold&field.a%20b=x'), ['Ana'])
    deepEqual(await found('field[tier]=silver'), [])
    for (const query of ['field[tier]=gold&field.tier=gold', 'field[]=x', 'field[tier=x']) {
      const { status, body } = await call('GET', `/people?${query}`)
      deepEqual([status, body.code], [400, 'invalid_query'], query)
    }
  })

  describe('ext: and an id of your own', () => {
    it('names a person in paths', async () => {
      const { call, ana, product } = await given()
      const path = `/people/${encodeURIComponent('ext:crm/7')}`
      equal((await call('GET', path)).body.id, ana)
      equal((await call('PATCH', path, { city: 'Porto' })).body.city, 'Porto')
      const tagged = await call('POST', `${path}/tags`, { label: product, side: 'buyer' })
      deepEqual([tagged.status, tagged.body.id], [200, ana])
      equal((await call('GET', '/people/ext:crm-9')).status, 404)
      equal((await call('GET', '/people/ext:')).status, 404)
    })

    it('names a person in queries and bodies', async () => {
      const { call, ana, bob, product, agent } = await given()
      const into = await call('POST', '/people', { email: 'b@third.example', into: 'ext:crm-8' })
      deepEqual([into.status, into.body.id], [200, bob])
      const { results } = (
        await call('POST', '/people/bulk', {
          people: [{ city: 'Porto', email: 'c@third.example', into: 'ext:crm-8' }],
        })
      ).body
      equal(results[0].person, bob)
      const deal = await call('POST', '/deals', {
        label: product,
        seller: 'ext:crm/7',
        buyer: 'ext:crm-8',
        agent,
      })
      deepEqual([deal.status, deal.body.seller, deal.body.buyer], [200, ana, bob])
      const same = await call('POST', '/deals', {
        label: product,
        seller: ana,
        buyer: 'ext:crm/7',
        agent,
      })
      deepEqual([same.status, same.body.errors[0].pointer], [422, '/buyer'])
      const opened = await call('POST', '/conversations', {
        person: 'ext:crm-8',
        text: 'Hello',
        via: (await call('GET', '/channels')).body.channels[0].id,
      })
      deepEqual([opened.status, opened.body.conversation?.person], [200, bob], opened.text)
      const listed = await call('GET', '/conversations?person=ext:crm-8')
      equal(listed.body.conversations.length, 1)
      equal((await call('GET', '/conversations?person=ext:crm-9')).body.conversations.length, 0)
      const unknown = await call('POST', '/conversations', { person: 'ext:crm-9', text: 'Hello' })
      deepEqual([unknown.status, unknown.body.errors[0].pointer], [422, '/person'])
    })

    it('names people of a segment', async () => {
      const { call, ana } = await given()
      const segment = (await call('POST', '/segments', { query: 'nobody at all' })).body
      const id = segment.segment?.id ?? segment.id
      const added = await call('POST', `/segments/${id}/people`, {
        people: ['ext:crm/7', 'ext:crm-9', 'bob@first.example'],
      })
      deepEqual(
        [added.status, added.body.added, added.body.unknown],
        [200, 2, ['ext:crm-9']],
        added.text,
      )
      const path = `/segments/${id}/people/${encodeURIComponent('ext:crm/7')}`
      equal((await call('DELETE', path)).status, 200)
      const { people } = (await call('GET', `/segments/${id}/people`)).body
      equal(
        people.some((person: { id: string }) => person.id === ana),
        false,
      )
    })

    it('is refused like any other text with characters that are not allowed', async () => {
      const { call, ana, product, agent } = await given()
      const segment = (await call('POST', '/segments', { query: 'nobody at all' })).body
      const people = `/segments/${segment.segment?.id ?? segment.id}/people`
      const deal = { label: product, buyer: ana, agent }
      for (const id of ['ext:\0', 'ext:crm/7\0', 'ext:\ud800', 'ext:x\udfff']) {
        const refusals: [pointer: string, path: string, body: unknown][] = [
          ['/seller', '/deals', { ...deal, seller: id }],
          ['/from/0', `/people/${ana}/merge`, { from: [id] }],
          ['/into', '/people', { email: 'd@third.example', into: id }],
          ['/people/0', people, { people: [id, ana] }],
          ['/person', '/conversations', { person: id, text: 'Hello' }],
        ]
        for (const [pointer, path, body] of refusals) {
          const answer = await call('POST', path, body)
          equal(answer.status, 422, answer.text)
          deepEqual(
            answer.body.errors.map((one: Record<string, string>) => [one['pointer'], one['code']]),
            [[pointer, 'invalid_text']],
          )
        }
      }
      for (const path of ['/conversations?person=ext:%00', '/search?q=hello&person=ext:x%00']) {
        const { status, body, text } = await call('GET', path)
        deepEqual([status, body.code], [400, 'invalid_query'], text)
        equal(body.errors[0].parameter, 'person')
      }
      for (const end of ['ext:%00', 'ext:crm%2F7%00'])
        for (const path of [`/people/${end}`, `/people/${end}/export`])
          equal((await call('GET', path)).status, 404)
      equal((await call('DELETE', `${people}/ext:%00`)).status, 404)
    })

    it('names nobody of another workspace', async () => {
      await given()
      const { call } = await service.workspace()
      equal((await call('GET', '/people/ext:crm-8')).status, 404)
    })
  })
})
