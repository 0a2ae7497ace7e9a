import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Db } from '../../db/database.ts'
import { newId } from '../../db/ids.ts'
import { startService, type TestService } from '../support/service.ts'

type Card = { name: string; city?: string; jobTitle?: string; company?: string; email?: string }

describe('segments', () => {
  let service: TestService

  before(async function () {
    this.timeout(120_000)
    service = await startService()
    await service.work(this.test?.ctx as Mocha.Context)
  })
  after(() => service.close())

  /** A workspace that knows these people; `id` finds one by name. */
  async function given(cards: Card[]) {
    const workspace = await service.workspace()
    const ids = new Map<string, string>()
    const add = async (card: Card) => {
      const id = newId('per')
      const { email = `${id}@client.example`, ...fields } = card
      const at = { createdAt: service.clock.now(), updatedAt: service.clock.now() }
      const person = { city: '', jobTitle: '', company: '', ...fields, id, workspace: workspace.id }
      await service.db
        .insertInto('people')
        .values({ ...person, ...at })
        .execute()
      const address = {
        workspace: workspace.id,
        kind: 'email' as const,
        value: email,
        given: email,
      }
      await service.db
        .insertInto('addresses')
        .values({ ...address, person: id, position: 0 })
        .execute()
      ids.set(card.name, id)
      return id
    }
    for (const card of cards) await add(card)
    return {
      ...workspace,
      workspace: workspace.id,
      add,
      idOf: (name: string) => ids.get(name) as string,
    }
  }

  const three: Card[] = [
    { name: 'Ada', city: 'Berlin', jobTitle: 'Sales Director' },
    { name: 'Ben', city: 'Munich', jobTitle: 'Sales Directors of all' },
    { name: 'Cem', city: 'Berlin', jobTitle: 'Cook' },
  ]

  const namesOf = (reply: { body: { people: { name: string }[] } }) =>
    reply.body.people.map(({ name }) => name)

  async function campaignOn(
    db: Db,
    workspace: string,
    segment: string,
    state: 'draft' | 'running' | 'paused' | 'done',
  ) {
    const id = newId('cmp')
    const now = service.clock.now()
    await db
      .insertInto('campaigns')
      .values({
        id,
        workspace,
        name: 'C',
        state,
        segment,
        createdAt: now,
        updatedAt: now,
        ...(state === 'running' && { runner: `${workspace}:run` }),
      })
      .execute()
    return id
  }

  const signalsTo = (workflowId: string) =>
    service.db.selectFrom('outbox').select('signal').where('workflowId', '=', workflowId).execute()

  describe('POST /segments', () => {
    it('judges people and answers a draft with what was done', async () => {
      const { call } = await given(three)
      const rules = [{ kind: 'except', text: 'Munich', since: 2024 }]
      const made = await call('POST', '/segments', { query: 'sales directors', rules })
      equal(made.status, 200, made.text)
      const { id, createdAt, updatedAt, ...rest } = made.body
      match(id, /^seg_/)
      equal(createdAt, updatedAt)
      deepEqual(rest, {
        name: 'sales directors',
        query: 'sales directors',
        rules,
        refill: false,
        saved: false,
        members: 1,
        judged: 3,
        matched: 1,
        remaining: 0,
      })
      const { judged, matched, remaining, ...segment } = made.body
      deepEqual((await call('GET', `/segments/${id}`)).body, { ...segment, campaigns: [] })
      deepEqual((await call('GET', '/segments')).body, { segments: [segment], next: null })
      const people = await call('GET', `/segments/${id}/people`)
      deepEqual(namesOf(people), ['Ada'])
      const { verdict, ...person } = people.body.people[0]
      deepEqual(person, (await call('GET', `/people/${person.id}`)).body)
      equal(verdict.matches, true)
      equal(verdict.version, 1)
      match(verdict.reason, /sales directors.*job title.*plain word rules/)
    })

    it('answers a repeat byte for byte and judges nothing again', async () => {
      const { call } = await given(three)
      const key = randomUUID()
      const first = await call('POST', '/segments', { query: 'everyone', name: 'All' }, { key })
      const again = await call('POST', '/segments', { query: 'everyone', name: 'All' }, { key })
      equal(first.body.members, 3)
      equal(again.text, first.text)
      equal(again.headers.get('idempotent-replayed'), 'true')
      equal((await call('GET', '/segments')).body.segments.length, 1)
      const operation = await call('GET', `/operations/${key}`)
      deepEqual(operation.body.result, first.body)
      equal(operation.body.kind, 'judgeSegment')
      equal(operation.body.state, 'done')
    })

    it('goes on with people who came after, and only with them', async () => {
      const { call, add } = await given(three)
      const { id } = (await call('POST', '/segments', { query: 'people in Berlin' })).body
      await add({ name: 'Dora', city: 'Berlin' })
      await add({ name: 'Emil', city: 'Rome' })
      const more = await call('POST', '/segments', { query: 'people in Berlin', segment: id })
      equal(more.body.id, id)
      const { judged, matched, remaining, members } = more.body
      deepEqual(
        { judged, matched, remaining, members },
        { judged: 2, matched: 1, remaining: 0, members: 3 },
      )
    })

    it('judges everyone anew by other words, and keeps who was added by hand', async () => {
      const { call, idOf } = await given(three)
      const { id: segment } = (await call('POST', '/segments', { query: 'cooks' })).body
      const added = await call('POST', `/segments/${segment}/people`, { people: [idOf('Ben')] })
      deepEqual([added.body.added, added.body.members], [1, 2])
      const anew = await call('POST', '/segments', { query: 'people in Berlin', segment })
      const { judged, matched, members, name } = anew.body
      deepEqual(
        { judged, matched, members, name },
        { judged: 3, matched: 2, members: 3, name: 'people in Berlin' },
      )
      const people = (await call('GET', `/segments/${segment}/people`)).body.people
      deepEqual(
        people.map(
          (p: {
            name: string
            verdict: { byHand: boolean; matches: boolean; version: number }
          }) => [p.name, p.verdict.matches, p.verdict.byHand, p.verdict.version],
        ),
        [
          ['Ada', true, false, 2],
          ['Ben', false, true, 2],
          ['Cem', true, false, 2],
        ],
      )
    })

    it('keeps a name that was given and rules that are not given again', async () => {
      const { call } = await given(three)
      const rules = [{ kind: 'only', text: 'in Berlin' }]
      const made = (
        await call('POST', '/segments', { query: 'everyone', name: 'Mine', rules, refill: true })
      ).body
      equal(made.members, 2)
      const anew = (await call('POST', '/segments', { query: 'cooks', segment: made.id })).body
      deepEqual([anew.name, anew.rules, anew.refill, anew.members], ['Mine', rules, true, 1])
    })

    it('wakes the runners of running campaigns when people join', async () => {
      const { call, workspace, add } = await given([])
      const { id } = (await call('POST', '/segments', { query: 'everyone' })).body
      await campaignOn(service.db, workspace, id, 'running')
      await call('POST', '/segments', { query: 'everyone', segment: id })
      deepEqual(await signalsTo(`${workspace}:run`), [])
      await add({ name: 'New' })
      await call('POST', '/segments', { query: 'everyone', segment: id })
      deepEqual(await signalsTo(`${workspace}:run`), [{ signal: 'changed' }])
    })

    it('refuses what it cannot understand', async () => {
      const { call } = await given([])
      const other = await given([])
      const { id: foreign } = (await other.call('POST', '/segments', { query: 'all' })).body
      for (const [body, pointer] of [
        [{}, '/query'],
        [{ query: '  ' }, '/query'],
        [{ query: 'x', rules: [{ kind: 'perhaps', text: 'y' }] }, '/rules/0/kind'],
        [{ query: 'x', rules: [{ kind: 'only' }] }, '/rules/0/text'],
        [{ query: 'x', segmnt: 'y' }, '/segmnt'],
        [{ query: 'x', segment: 'seg_none' }, '/segment'],
        [{ query: 'x', segment: foreign }, '/segment'],
      ] as const) {
        const reply = await call('POST', '/segments', body)
        equal(reply.status, 422, reply.text)
        equal(reply.body.errors[0].pointer, pointer)
      }
      deepEqual((await call('GET', '/segments')).body.segments, [])
    })

    it('needs campaigns:write', async () => {
      const { call, tokenWith } = await given([])
      const token = await tokenWith(['inbox:read', 'inbox:write', 'send'])
      const reply = await call('POST', '/segments', { query: 'all' }, { token })
      equal(reply.status, 403)
      deepEqual(reply.body.scopes, ['campaigns:write'])
    })
  })

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
    it('adds by id or address, once each, and names the keys nobody is known by', async () => {
      const { call, workspace, add } = await given([])
      const ada = await add({ name: 'Ada', email: 'ada@client.example' })
      const ben = await add({ name: 'Ben', city: 'Rome' })
      const { id } = (await call('POST', '/segments', { query: 'people in Rome' })).body
      await campaignOn(service.db, workspace, id, 'running')
      const people = ['ADA@client.example', ada, ben, 'nobody@client.example']
      const added = await call('POST', `/segments/${id}/people`, { people })
      equal(added.status, 200, added.text)
      const { added: n, existing, unknown, members, campaigns } = added.body
      deepEqual(
        { n, existing, unknown, members },
        { n: 1, existing: 1, unknown: ['nobody@client.example'], members: 2 },
      )
      equal(campaigns.length, 1)
      deepEqual(await signalsTo(`${workspace}:run`), [{ signal: 'changed' }])
      const again = await call('POST', `/segments/${id}/people`, { people })
      deepEqual([again.body.added, again.body.existing], [0, 2])
    })

    it('refuses an empty list and a list of strangers', async () => {
      const { call } = await given([])
      const { id } = (await call('POST', '/segments', { query: 'all' })).body
      for (const people of [[], ['nobody@client.example']]) {
        const reply = await call('POST', `/segments/${id}/people`, { people })
        equal(reply.status, 422)
        equal(reply.body.errors[0].pointer, '/people')
      }
      equal((await call('POST', '/segments/seg_none/people', { people: ['x'] })).status, 404)
    })
  })

  describe('PATCH /segments/{id}', () => {
    it('saves a draft and turns refill on, and without a change leaves no trace', async () => {
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

    it('moves the campaigns of the segment it replaces, which goes', async () => {
      const { call, id: workspace } = await given([]).then(async (all) => ({
        ...all,
        id: all.workspace,
      }))
      const old = (await call('POST', '/segments', { query: 'all' })).body.id
      const draft = (await call('POST', '/segments', { query: 'cooks' })).body.id
      equal(
        (await call('PATCH', `/segments/${draft}`, { replaces: old })).body.errors[0].code,
        'not_saved',
      )
      await call('PATCH', `/segments/${old}`, { saved: true })
      const campaign = await campaignOn(service.db, workspace, old, 'running')
      const replaced = await call('PATCH', `/segments/${draft}`, { replaces: old })
      equal(replaced.status, 200, replaced.text)
      equal(replaced.body.saved, true)
      deepEqual(replaced.body.campaigns, [{ id: campaign, name: 'C', state: 'running' }])
      equal((await call('GET', `/segments/${old}`)).status, 404)
      deepEqual(await signalsTo(`${workspace}:run`), [{ signal: 'changed' }])
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

  describe('DELETE /segments/{id}', () => {
    it('leaves people in contacts and takes itself off finished campaigns and drafts', async () => {
      const { call, workspace } = await given(three)
      const { id } = (await call('POST', '/segments', { query: 'all' })).body
      for (const state of ['draft', 'done'] as const)
        await campaignOn(service.db, workspace, id, state)
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
      const { call, workspace } = await given([])
      const { id } = (await call('POST', '/segments', { query: 'all' })).body
      for (const state of ['paused', 'running'] as const) {
        await campaignOn(service.db, workspace, id, state)
        const reply = await call('DELETE', `/segments/${id}`)
        deepEqual([reply.status, reply.body.code], [409, 'segment_in_use'])
      }
    })
  })

  it('judges five thousand people in a call or two', async function () {
    this.timeout(60_000)
    const { call, workspace } = await given([])
    const n = 5000
    const now = service.clock.now()
    await service.db
      .insertInto('people')
      .values(
        Array.from({ length: n }, (_, i) => ({
          id: newId('per'),
          workspace,
          name: `Person ${i}`,
          city: i % 5 ? 'Berlin' : 'Rome',
          jobTitle: 'Sales Director',
          company: `Firm ${i}`,
          createdAt: now,
          updatedAt: now,
        })),
      )
      .execute()
    const body = { query: 'sales directors in Berlin' }
    let answer = (await call('POST', '/segments', body)).body
    let judged = answer.judged
    while (answer.remaining > 0) {
      answer = (await call('POST', '/segments', { ...body, segment: answer.id })).body
      judged += answer.judged
    }
    deepEqual([judged, answer.members], [n, (n * 4) / 5])
    ok(answer.remaining === 0)
  })
})
