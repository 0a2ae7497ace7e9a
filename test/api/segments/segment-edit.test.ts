import { deepEqual, equal } from 'node:assert/strict'
import { type Card, givenCards, three } from '../../support/segments.ts'
import { type SharedService, sharedService } from '../../support/service.ts'

describe('a segment', () => {
  let service: SharedService
  const given = (cards: Card[]) => givenCards(service, cards)

  before(async function () {
    this.timeout(120_000)
    service = await sharedService(this.test?.ctx)
  })

  const namesOf = (reply: { body: { people: { name: string }[] } }) =>
    reply.body.people.map(({ name }) => name)

  describe('GET /segments/{id}/people', () => {
    it('pages by name, the nameless first', async () => {
      const { call } = await given([
        { name: 'bea' },
        { name: '' },
        { name: 'Abe' },
        { name: 'Cid' },
      ])
      const { id } = (await call('POST', '/segments', { query: 'all' })).body
      const names: string[] = []
      let cursor = ''
      do {
        const page = await call('GET', `/segments/${id}/people?limit=3&cursor=${cursor}`)
        names.push(...namesOf(page))
        cursor = page.body.next
      } while (cursor)
      deepEqual(names, ['', 'Abe', 'bea', 'Cid'])
    })
  })

  describe('POST /segments/{id}/people', () => {
    it('adds by id or address, once each, and names the keys that match nobody', async () => {
      const { call, add, campaignOn, signals } = await given([])
      const ada = await add({ name: 'Ada', email: 'ada@client.example' })
      const ben = await add({ name: 'Ben', city: 'Rome' })
      const { id } = (await call('POST', '/segments', { query: 'people in Rome' })).body
      await campaignOn(id, 'running')
      const people = ['ADA@client.example', ada, ben, 'nobody@client.example']
      const added = await call('POST', `/segments/${id}/people`, { people })
      equal(added.status, 200, added.text)
      const { added: n, existing, unknown, members, campaigns } = added.body
      deepEqual(
        { n, existing, unknown, members },
        { n: 1, existing: 1, unknown: ['nobody@client.example'], members: 2 },
      )
      equal(campaigns.length, 1)
      deepEqual(await signals(), ['changed'])
      const again = await call('POST', `/segments/${id}/people`, { people })
      deepEqual([again.body.added, again.body.existing], [0, 2])
    })

    it('refuses an empty list and a list of strangers', async () => {
      const { call } = await given([])
      const { id } = (await call('POST', '/segments', { query: 'all' })).body
      for (const [people, pointer] of [
        [[], '/people'],
        [['nobody@client.example'], '/people/0'],
      ]) {
        const reply = await call('POST', `/segments/${id}/people`, { people })
        equal(reply.status, 422)
        equal(reply.body.errors[0].pointer, pointer)
      }
      equal((await call('POST', '/segments/seg_none/people', { people: ['x'] })).status, 404)
    })
  })

  describe('PATCH /segments/{id}', () => {
    it('saves a draft and turns refill on, and leaves no trace without a change', async () => {
      const { call } = await given([])
      const { id } = (await call('POST', '/segments', { query: 'all' })).body
      const saved = await call('PATCH', `/segments/${id}`, { saved: true, refill: true })
      deepEqual([saved.body.saved, saved.body.refill, saved.body.campaigns], [true, true, []])
      equal((await call('PATCH', `/segments/${id}`, {})).text, saved.text)
      equal((await call('PATCH', `/segments/${id}`, { saved: true })).text, saved.text)
      const { entries } = (await call('GET', '/audit')).body
      deepEqual(entries.map((entry: { action: string }) => entry.action).slice(0, 2), [
        'segment.edited',
        'segment.created',
      ])
    })

    it('takes over the campaigns of the segment it replaces, which is deleted', async () => {
      const { call, campaignOn, signals } = await given([])
      const old = (await call('POST', '/segments', { query: 'all' })).body.id
      const draft = (await call('POST', '/segments', { query: 'cooks' })).body.id
      equal(
        (await call('PATCH', `/segments/${draft}`, { replaces: old })).body.errors[0].code,
        'not_saved',
      )
      await call('PATCH', `/segments/${old}`, { saved: true })
      const campaign = await campaignOn(old, 'running')
      const replaced = await call('PATCH', `/segments/${draft}`, { replaces: old })
      equal(replaced.status, 200, replaced.text)
      equal(replaced.body.saved, true)
      deepEqual(replaced.body.campaigns, [{ id: campaign, name: 'C', state: 'running' }])
      equal((await call('GET', `/segments/${old}`)).status, 404)
      deepEqual(await signals(), ['changed'])
      equal(
        (await call('PATCH', `/segments/${draft}`, { replaces: old })).body.errors[0].code,
        'unknown_id',
      )
      equal(
        (await call('PATCH', `/segments/${draft}`, { replaces: draft })).body.errors[0].code,
        'same_segment',
      )
      equal(
        (await call('PATCH', `/segments/${draft}`, { replaces: old, saved: false })).status,
        422,
      )
      equal(
        (await call('PATCH', `/segments/${draft}`, { saved: false })).body.code,
        'segment_in_use',
      )
    })
  })

  describe('PATCH /segments/{id} with replaces', () => {
    /** A saved segment, from which Ada was taken out, and a draft of everybody. */
    async function replaceable() {
      const room = await given([...three, { name: 'Dora', city: 'Rome' }])
      const { call, idOf } = room
      const old = (await call('POST', '/segments', { query: 'people in Berlin' })).body.id
      await call('PATCH', `/segments/${old}`, { saved: true })
      equal((await call('DELETE', `/segments/${old}/people/${idOf('Ada')}`)).status, 200)
      const draft = (await call('POST', '/segments', { query: 'all' })).body.id
      return {
        ...room,
        old,
        draft,
        names: async () => namesOf(await call('GET', `/segments/${draft}/people`)),
        byHand: (segment: string, name: string) =>
          call('POST', `/segments/${segment}/people`, { people: [idOf(name)] }),
      }
    }

    it('keeps out whoever was taken out of either by hand, whatever is judged later', async () => {
      const { call, idOf, old, draft, names, byHand } = await replaceable()
      await call('DELETE', `/segments/${draft}/people/${idOf('Ben')}`)
      await byHand(old, 'Ben')
      await byHand(draft, 'Ada')
      const { status, body } = await call('PATCH', `/segments/${draft}`, { replaces: old })
      deepEqual([status, body.members], [200, 2])
      deepEqual(await names(), ['Cem', 'Dora'])
      await call('POST', '/segments', { query: 'everybody', segment: draft })
      deepEqual(await names(), ['Cem', 'Dora'])
      await byHand(draft, 'Ada')
      deepEqual(await names(), ['Ada', 'Cem', 'Dora'])
    })

    it('keeps whoever was added to the replaced one by hand, whatever the words of the draft say', async () => {
      const { call, old, byHand } = await replaceable()
      await byHand(old, 'Dora')
      const draft = (await call('POST', '/segments', { query: 'people in Munich' })).body.id
      const { status, body } = await call('PATCH', `/segments/${draft}`, { replaces: old })
      deepEqual([status, body.members], [200, 2])
      const { people } = (await call('GET', `/segments/${draft}/people`)).body
      deepEqual(
        people.map(({ name, verdict }: { name: string; verdict: { byHand: boolean } }) => [
          name,
          verdict.byHand,
        ]),
        [
          ['Ben', false],
          ['Dora', true],
        ],
      )
      await call('POST', '/segments', { query: 'astronauts', segment: draft })
      deepEqual(namesOf(await call('GET', `/segments/${draft}/people`)), ['Dora'])
    })
  })

  describe('DELETE /segments/{id}', () => {
    it('keeps the people in contacts and detaches the segment from finished campaigns and drafts', async () => {
      const { call, workspace, campaignOn } = await given(three)
      const { id } = (await call('POST', '/segments', { query: 'all' })).body
      for (const state of ['draft', 'done'] as const) await campaignOn(id, state)
      deepEqual((await call('DELETE', `/segments/${id}`)).body, { id, deleted: true })
      equal((await call('GET', `/segments/${id}`)).status, 404)
      equal((await call('GET', '/people')).body.people.length, 3)
      const campaigns = await service.db
        .selectFrom('campaigns')
        .select('segment')
        .where('workspace', '=', workspace)
        .execute()
      deepEqual(campaigns, [{ segment: null }, { segment: null }])
      equal((await call('DELETE', `/segments/${id}`)).status, 404)
    })

    it('is refused while a running or paused campaign uses it', async () => {
      const { call, campaignOn } = await given([])
      const { id } = (await call('POST', '/segments', { query: 'all' })).body
      for (const state of ['paused', 'running'] as const) {
        await campaignOn(id, state)
        const reply = await call('DELETE', `/segments/${id}`)
        deepEqual([reply.status, reply.body.code], [409, 'segment_in_use'])
      }
    })
  })
})
