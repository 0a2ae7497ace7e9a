import { deepEqual, equal, match } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { enqueueStart } from '../../../db/operations/outbox.ts'
import { comesTo, startService, type TestService } from '../../support/service.ts'

describe('rules of segments on members of the card', function () {
  this.timeout(60_000)
  let service: TestService
  before(async function () {
    this.timeout(120_000)
    service = await startService()
    await service.work(this.test?.ctx, {}, { only: ['rows', 'remote'] })
  })
  after(() => service.close())

  const people = [
    { name: 'Ada', company: 'Acme', city: 'Berlin', jobTitle: 'Cook', externalId: 'crm-1' },
    { name: 'Ben', company: 'acme ', city: 'Porto', fields: { tier: 'gold', seats: 40 } },
    { name: 'Cem', fields: { tier: 'silver', seats: 4, active: true } },
    { name: 'Dora', city: 'Porto', fields: { tier: 'gold', seats: '40', small: 1e-7 } },
  ]
  async function given() {
    const workspace = await service.workspace()
    const { call } = workspace
    const ids: Record<string, string> = {}
    for (const person of people) {
      const { body, text, status } = await call('POST', '/people', {
        ...person,
        email: `${person.name}@x.test`,
      })
      equal(status, 200, text)
      ids[person.name] = body.id
    }
    const namesOf = async (segment: string) =>
      (await call('GET', `/segments/${segment}/people`)).body.people
        .map(({ name }: { name: string }) => name)
        .join(' ')
    return { ...workspace, ids, namesOf }
  }

  it('finds people by what their cards say, in every combination', async () => {
    const { call, ids, namesOf, product } = await given()
    await call('POST', `/people/${ids['Cem']}/tags`, { label: product, side: 'buyer' })
    const hostile = "x') or true --"
    const table: [object | object[], string][] = [
      [{ kind: 'only', field: 'fields.tier', in: ['gold'] }, 'Ben Dora'],
      [{ kind: 'except', field: 'fields.tier', in: ['gold', 'none'] }, 'Ada Cem'],
      [{ kind: 'only', field: 'fields.tier', exists: false }, 'Ada'],
      [{ kind: 'only', field: 'fields.seats', in: [40] }, 'Ben Dora'],
      [{ kind: 'only', field: 'fields.active', in: [true] }, 'Cem'],
      [{ kind: 'only', field: 'fields.small', in: [1e-7] }, 'Dora'],
      // A text is no number, whatever it says.
      [{ kind: 'only', field: 'fields.seats', atLeast: 10 }, 'Ben'],
      [{ kind: 'only', field: 'fields.seats', atLeast: 4, atMost: 40 }, 'Ben Cem'],
      [{ kind: 'only', field: 'fields.seats', atLeast: 4, in: [4, 5] }, 'Cem'],
      [{ kind: 'only', field: 'fields.tier', atLeast: 0 }, ''],
      [{ kind: 'only', field: 'company', in: ['ACME'] }, 'Ada Ben'],
      [{ kind: 'only', field: 'company', exists: true }, 'Ada Ben'],
      [{ kind: 'only', field: 'city', in: ['porto', 'Rome'] }, 'Ben Dora'],
      [{ kind: 'only', field: 'jobTitle', in: ['Cook'] }, 'Ada'],
      [{ kind: 'only', field: 'externalId', in: ['crm-1'] }, 'Ada'],
      [{ kind: 'only', field: 'tag', in: [product] }, 'Cem'],
      [{ kind: 'except', field: 'tag', exists: true }, 'Ada Ben Dora'],
      [{ kind: 'only', field: 'fields.tier', in: [hostile, '%', '\\'] }, ''],
      [
        [
          { kind: 'only', field: 'fields.tier', in: ['gold'] },
          { kind: 'except', field: 'company', in: ['Acme'] },
        ],
        'Dora',
      ],
      // With words beside it, both must apply.
      [
        { kind: 'only', field: 'fields.tier', in: ['gold', 'silver'], text: 'in Porto' },
        'Ben Dora',
      ],
      [{ kind: 'except', field: 'fields.tier', in: ['gold'], text: 'at Acme' }, 'Ada Cem Dora'],
      [
        [
          { kind: 'only', field: 'city', exists: true },
          { kind: 'except', text: 'in Berlin' },
        ],
        'Ben Dora',
      ],
    ]
    for (const [rules, names] of table) {
      const { body, status, text } = await call('POST', '/segments', { rules: [rules].flat() })
      equal(status, 200, text)
      deepEqual([body.query, body.judged, await namesOf(body.id)], ['', 4, names], text)
      equal(body.hint === undefined, names !== '', text)
    }
    const both = await call('POST', '/segments', {
      query: 'people in Porto',
      rules: [{ kind: 'only', field: 'fields.seats', atMost: 100 }],
    })
    equal(await namesOf(both.body.id), 'Ben')
  })

  it('is named after its rules, is renamed, and is judged further without words', async () => {
    const { call, namesOf } = await given()
    const rules = [{ kind: 'only', field: 'fields.tier', in: ['gold'], note: 'ours' }]
    const { body } = await call('POST', '/segments', { rules })
    deepEqual([body.name, body.rules], ['only fields.tier in gold', rules])
    const further = await call('POST', '/segments', { segment: body.id })
    deepEqual([further.status, further.body.judged, further.body.query], [200, 0, ''])
    const other = [{ kind: 'only', field: 'fields.tier', in: ['silver'] }]
    const changed = await call('POST', '/segments', { segment: body.id, rules: other })
    deepEqual([changed.body.name, await namesOf(body.id)], ['only fields.tier in silver', 'Cem'])
    const renamed = await call('PATCH', `/segments/${body.id}`, { name: 'Silver', saved: true })
    deepEqual([renamed.body.name, renamed.body.saved], ['Silver', true])
    equal((await call('POST', '/segments', { segment: body.id, rules })).body.name, 'Silver')
    const person = (await call('GET', `/segments/${body.id}/people`)).body.people[0]
    match(person.verdict.reason, /“only fields.tier in gold”.*members of the card/)
  })

  it('follows the cards', async () => {
    const { call, ids, namesOf } = await given()
    const rules = [{ kind: 'only', field: 'fields.tier', in: ['gold'] }]
    const { body } = await call('POST', '/segments', { rules, refill: true })
    await call('PATCH', `/people/${ids['Ada']}`, { fields: { tier: 'gold' } })
    await call('PATCH', `/people/${ids['Ben']}`, { fields: { tier: null } })
    const workflowId = `refill-${randomUUID()}`
    await enqueueStart(service.db, { type: 'refillSegments', workflowId, args: [], attributes: {} })
    await comesTo(() => namesOf(body.id), 'Ada Dora')
  })

  it('says why nobody can belong', async () => {
    const { call } = await given()
    const table: [object, RegExp][] = [
      [{ field: 'fields.tier', exists: false, in: ['gold'] }, /Nobody can belong to it/],
      [{ field: 'fields.seats', atLeast: 5, atMost: 4 }, /Nobody can belong to it/],
      [{ field: 'fields.colour', in: ['red'] }, /Nobody has the field “colour”/],
      [{ field: 'city', in: ['Rome'] }, /Against the rule “only city in Rome”/],
    ]
    for (const [rule, hint] of table) {
      const { body } = await call('POST', '/segments', { rules: [{ kind: 'only', ...rule }] })
      match(body.hint, hint)
      equal((await call('GET', `/segments/${body.id}`)).body.hint, body.hint)
    }
  })

  it('refuses what is no rule', async () => {
    const { call } = await given()
    const table: [object, string][] = [
      [{ rules: [] }, '/query'],
      [{}, '/query'],
      [{ rules: [{ kind: 'only', text: 'in Porto' }] }, '/query'],
      [{ rules: [{ kind: 'only' }] }, '/rules/0/text'],
      [{ rules: [{ kind: 'only', field: 'name', in: ['Ada'] }] }, '/rules/0/field'],
      [{ rules: [{ kind: 'only', field: 'fields.', in: ['x'] }] }, '/rules/0/field'],
      [{ rules: [{ kind: 'only', field: "fields.a'b", in: ['x'] }] }, '/rules/0/field'],
      [{ rules: [{ kind: 'only', field: 'fields.__proto__', in: ['x'] }] }, '/rules/0/field'],
      [{ rules: [{ kind: 'only', field: 'city' }] }, '/rules/0/field'],
      [{ rules: [{ kind: 'only', field: 'city', atLeast: 1 }] }, '/rules/0/atLeast'],
      [{ rules: [{ kind: 'only', field: 'fields.a', atMost: '1' }] }, '/rules/0/atMost'],
      [{ rules: [{ kind: 'only', field: 'city', in: [] }] }, '/rules/0/in'],
      [{ rules: [{ kind: 'only', field: 'city', in: Array(201).fill('x') }] }, '/rules/0/in'],
      [{ rules: [{ kind: 'only', text: 'x', in: ['x'] }] }, '/rules/0/field'],
    ]
    for (const [body, pointer] of table) {
      const reply = await call('POST', '/segments', body)
      deepEqual([reply.status, reply.body.errors?.[0].pointer], [422, pointer], reply.text)
    }
    const { body } = await call('POST', '/segments', {
      rules: [{ kind: 'only', field: 'city', exists: true }],
    })
    const found = await call('POST', `/segments/${body.id}/find`, {})
    deepEqual([found.status, found.body.errors[0].pointer], [422, '/words'])
  })
})
