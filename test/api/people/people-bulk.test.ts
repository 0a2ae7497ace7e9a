import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { auditedActions } from '../../support/audited.ts'
import { shownEvents } from '../../support/events.ts'
import { startService, type TestService } from '../../support/service.ts'

type Result = {
  index: number
  outcome: string
  person?: string
  errors?: { pointer: string; code: string }[]
}

describe('POST /people/bulk', () => {
  let service: TestService
  before(async () => {
    // Calls that wait for each other's end wait as long as that takes, however busy the machine is.
    service = await startService({ patience: { turnMs: 100_000 }, lockMs: 100_000 })
  })
  after(() => service.close())

  async function given() {
    const workspace = await service.workspace()
    const { call } = workspace
    const bulk = async (people: unknown[], mode?: string) => {
      const { status, body, text } = await call('POST', '/people/bulk', { people, mode })
      equal(status, 200, text)
      return body.results as Result[]
    }
    const read = async (id: string | undefined) => (await call('GET', `/people/${id}`)).body
    return { ...workspace, bulk, read }
  }
  const outcomes = (results: Result[]) => results.map(({ outcome }) => outcome)

  it('writes 450 of 500 people and refuses the 50 that are wrong, and a repeat answers the same', async () => {
    const { id, call } = await given()
    const people = Array.from({ length: 500 }, (_, i) =>
      i % 10 === 3
        ? { name: 'Wrong', email: `wrong-${i}`, age: i }
        : { name: `Person ${i}`, email: `p${i}@x.test`, externalId: `crm-${i}`, fields: { i } },
    )
    const key = randomUUID()
    const first = await call('POST', '/people/bulk', { people }, { key })
    equal(first.status, 200, first.text)
    const results = first.body.results as Result[]
    deepEqual(
      results.map(({ index }) => index),
      people.map((_, i) => i),
    )
    const count = (wanted: string) => results.filter(({ outcome }) => outcome === wanted).length
    deepEqual([count('created'), count('refused')], [450, 50])
    deepEqual(results[3]?.errors?.map(({ pointer }) => pointer).sort(), ['/age', '/email'])
    ok(results.every(({ outcome, person }) => (outcome === 'refused') === (person === undefined)))
    const again = await call('POST', '/people/bulk', { people }, { key })
    equal(again.text, first.text)
    const cards = () =>
      service.db.selectFrom('people').select('id').where('workspace', '=', id).execute()
    equal((await cards()).length, 450)
    deepEqual(await auditedActions(call), ['people.saved'])
    const other = await call('POST', '/people/bulk', { people })
    deepEqual(
      [...new Set(outcomes(other.body.results))].sort(),
      ['refused', 'same'],
      'a further call changes nothing',
    )
    equal((await cards()).length, 450)
    equal((await auditedActions(call)).length, 1)
  }).timeout(60_000)

  it('refuses a person with characters that are not allowed, and nobody else', async () => {
    const { call, bulk } = await given()
    const wrong: [pointer: string, person: unknown][] = [
      ['/name', { name: 'A\0', email: 'a@x.test', age: 1 }],
      ['/fields/tier', { email: 'b@x.test', fields: { tier: 'x\ud800' } }],
      ['/fields', { email: 'c@x.test', fields: { 'tier\0': 'x' } }],
      ['/emails/1', { emails: ['d@x.test', 'd@y.test\udfff'] }],
      ['/into', { email: 'e@x.test', into: 'ext:\0' }],
      ['', { email: 'f@x.test', 'x\0': 1 }],
      ['', 'g\0'],
    ]
    const people = wrong.flatMap(([, person], i) => [{ email: `right-${i}@x.test` }, person])
    const results = await bulk(people)
    deepEqual(
      results.map(({ outcome, errors }) => ({ outcome, errors })),
      wrong.flatMap(([pointer]) => [
        { outcome: 'created', errors: undefined },
        {
          outcome: 'refused',
          errors: [
            {
              pointer,
              code: 'invalid_text',
              message: 'must not contain U+0000 or half a surrogate pair',
            },
          ],
        },
      ]),
    )
    equal((await call('GET', '/people')).body.people.length, wrong.length)
    for (const body of [
      { people: [{ email: 'h@x.test' }], mode: 'update\0' },
      { people: [{ email: 'h@x.test' }], 'x\0': 1 },
    ])
      equal((await call('POST', '/people/bulk', body)).status, 422, 'the call itself is wrong')
  })

  it('names the card that the one in `into` has become part of', async () => {
    const { id: workspace, call, bulk } = await given()
    const { id: kept } = (await call('POST', '/people', { email: 'kept@x.test' })).body
    const gone = `per_gone_${workspace}`
    await service.db
      .insertInto('mergedPeople')
      .values({ id: gone, workspace, person: kept, at: service.clock.now() })
      .execute()
    const [merged, unknown, right] = await bulk([
      { email: 'more@x.test', into: gone },
      { email: 'none@x.test', into: 'per_none' },
      { email: 'more@x.test', into: kept },
    ])
    const one = await call('POST', '/people', { email: 'more@x.test', into: gone })
    deepEqual([one.status, one.body.code], [409, 'merged'])
    deepEqual(merged, { index: 0, outcome: 'refused', errors: one.body.errors })
    deepEqual(merged?.errors, [
      { pointer: '/into', code: 'merged', message: `has become part of ${kept}` },
    ])
    equal(unknown?.errors?.[0]?.code, 'unknown_id')
    equal(right?.person, kept)
  })

  it('refuses more than 500 people at once', async () => {
    const { call } = await given()
    const people = Array.from({ length: 501 }, (_, i) => ({ email: `p${i}@x.test` }))
    const { status, body } = await call('POST', '/people/bulk', { people })
    deepEqual([status, body.errors[0].pointer], [422, '/people'])
  })

  it('only fills what is empty with complete, and replaces with update', async () => {
    const { bulk, read } = await given()
    const [made] = await bulk([
      { name: 'Ann', email: 'ann@x.test', fields: { tier: 'gold' }, externalId: 'a' },
    ])
    const person = { externalId: 'a', name: 'Anna', city: 'Porto', fields: { tier: 'red', n: 1 } }
    deepEqual(await bulk([person]), [{ index: 0, outcome: 'completed', person: made?.person }])
    const completed = await read(made?.person)
    deepEqual(
      [completed.name, completed.city, completed.fields],
      ['Ann', 'Porto', { tier: 'gold', n: 1 }],
    )
    const moved = { ...person, email: 'anna@x.test', fields: { tier: 'red', n: null } }
    deepEqual(outcomes(await bulk([moved, moved], 'update')), ['updated', 'same'])
    const updated = await read(made?.person)
    deepEqual(
      [updated.name, updated.emails, updated.fields],
      ['Anna', ['anna@x.test', 'ann@x.test'], { tier: 'red' }],
    )
    // By an address too.
    deepEqual(outcomes(await bulk([{ email: 'ann@x.test', city: '' }], 'update')), ['updated'])
    equal((await read(made?.person)).city, '')
  })

  it('knows the people that stand before in the same call', async () => {
    const { bulk, call, id } = await given()
    const results = await bulk([
      { email: 'ann@x.test', externalId: 'a' },
      { emails: ['ANN@x.test', 'ann@y.test'] },
      { externalId: 'a', phone: '+4930123456' },
      { email: 'ann@y.test', externalId: 'b' },
      { email: 'bob@x.test' },
      { emails: ['ann@x.test', 'bob@x.test'] },
    ])
    deepEqual(outcomes(results), [
      ...['created', 'completed', 'completed', 'refused', 'created', 'refused'],
    ])
    equal(new Set(results.slice(0, 3).map(({ person }) => person)).size, 1)
    deepEqual(
      results[3]?.errors?.map(({ pointer }) => pointer),
      ['/externalId'],
    )
    deepEqual(
      results[5]?.errors?.map(({ pointer }) => pointer),
      ['/emails/0', '/emails/1'],
    )
    const told = (await shownEvents(service, { id, call })).map(({ kind, data }) => [
      kind,
      data.members,
    ])
    deepEqual(told.slice(0, 2), [
      ['person.created', ['externalId', 'email', 'phone']],
      ['person.created', ['email']],
    ])
  })

  it('adds to the card that `into` names, and refuses another workspace’s', async () => {
    const { bulk, read } = await given()
    const other = await given()
    const [mine] = await bulk([{ email: 'ann@x.test' }])
    const [theirs] = await other.bulk([{ email: 'ann@x.test' }])
    const results = await bulk([
      { into: mine?.person, email: 'ann@y.test' },
      { into: theirs?.person, email: 'ann@z.test' },
    ])
    deepEqual(outcomes(results), ['completed', 'refused'])
    deepEqual((await read(mine?.person)).emails, ['ann@x.test', 'ann@y.test'])
    deepEqual(
      results[1]?.errors?.map(({ pointer }) => pointer),
      ['/into'],
    )
  })

  it('ends without a deadlock where calls at once name the same people in other orders', async () => {
    const { bulk, call } = await given()
    const people = Array.from({ length: 120 }, (_, i) => ({
      email: `p${i}@x.test`,
      externalId: `crm-${i}`,
      name: `Person ${i}`,
    }))
    const singles = Promise.all(
      people.slice(0, 10).map((person) => call('POST', '/people', { email: person.email })),
    )
    const all = await Promise.all([
      bulk(people),
      bulk([...people].reverse()),
      bulk(people.slice(40), 'update'),
    ])
    deepEqual([...new Set((await singles).map(({ status }) => status))], [200])
    const cards = new Set(all.flat().map(({ person }) => person))
    equal(cards.size, 120)
    ok(all.flat().every(({ outcome }) => outcome !== 'refused'))
  }).timeout(120_000)
})
