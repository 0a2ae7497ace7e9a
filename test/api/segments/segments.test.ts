import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { newId } from '../../../db/ids.ts'
import { type Card, givenCards, three } from '../../support/segments.ts'
import { type SharedService, sharedService, startService } from '../../support/service.ts'

describe('POST /segments', () => {
  let service: SharedService
  const given = (cards: Card[]) => givenCards(service, cards)
  const namesOf = (reply: { body: { people: { name: string }[] } }) =>
    reply.body.people.map(({ name }) => name)

  before(async function () {
    this.timeout(120_000)
    service = await sharedService(this.test?.ctx)
  })

  it('judges people and answers a draft with the counts', async () => {
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

  it('continues with people added since, and only with them', async () => {
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

  it('judges everyone again by new words, and keeps people added by hand', async () => {
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
        (p: { name: string; verdict: { byHand: boolean; matches: boolean; version: number } }) => [
          p.name,
          p.verdict.matches,
          p.verdict.byHand,
          p.verdict.version,
        ],
      ),
      [
        ['Ada', true, false, 2],
        ['Ben', false, true, 2],
        ['Cem', true, false, 2],
      ],
    )
  })

  it('keeps a given name, and rules that are not given again', async () => {
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
    const { call, add, campaignOn, signals } = await given([])
    const { id } = (await call('POST', '/segments', { query: 'everyone' })).body
    await campaignOn(id, 'running')
    await call('POST', '/segments', { query: 'everyone', segment: id })
    deepEqual(await signals(), [])
    await add({ name: 'New' })
    await call('POST', '/segments', { query: 'everyone', segment: id })
    deepEqual(await signals(), ['changed'])
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

  it('is still running without a worker, and answers the same key once there is one', async function () {
    this.timeout(60_000)
    const idle = await startService({ patience: { dispatchMs: 300 } })
    try {
      const { call } = await givenCards(idle, three)
      const judge = (key: string) =>
        call('POST', '/segments', { query: 'people in Berlin' }, { key })
      const [kept, gone] = [randomUUID(), randomUUID()]
      for (const key of [kept, gone]) {
        const waiting = await judge(key)
        deepEqual([waiting.status, waiting.body.code], [504, 'still_running'])
      }
      const [{ id }] = (await call('GET', '/segments')).body.segments
      equal((await call('DELETE', `/segments/${id}`)).status, 200)
      await idle.work(this)
      deepEqual([(await judge(kept)).body.members, (await judge(gone)).body.code], [2, 'not_found'])
      equal((await judge(gone)).status, 404)
    } finally {
      await idle.close()
    }
  })

  it('judges five thousand people in one or two calls, each by the rules and with a reason', async function () {
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
    const rules = [
      { kind: 'only', text: 'in Berlin' },
      { kind: 'except', text: 'at Firm 11' },
    ]
    const body = { query: 'sales directors', rules }
    const started = performance.now()
    let calls = 1
    let answer = (await call('POST', '/segments', body)).body
    let judged = answer.judged
    while (answer.remaining > 0) {
      answer = (await call('POST', '/segments', { ...body, segment: answer.id })).body
      judged += answer.judged
      calls++
    }
    deepEqual([judged, answer.members], [n, (n * 4) / 5 - 1])
    const seconds = (performance.now() - started) / 1000
    ok(seconds < calls * 12, `${seconds} s for ${calls} calls`)
    const kept = await service.db
      .selectFrom('segmentPeople')
      .select(({ fn }) => fn.countAll<string>().as('verdicts'))
      .where('segment', '=', answer.id)
      .where('version', '=', 1)
      .where('reason', '!=', '')
      .executeTakeFirst()
    equal(Number(kept?.verdicts), n)
    const firm = service.db.selectFrom('people').select('id').where('company', '=', 'Firm 11')
    const excluded = await service.db
      .selectFrom('segmentPeople')
      .select('reason')
      .where('segment', '=', answer.id)
      .where('person', 'in', firm)
      .executeTakeFirst()
    match(excluded?.reason ?? '', /Against the rule “except at Firm 11”/)
  })
})
