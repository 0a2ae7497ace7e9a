import { deepEqual, equal, ok } from 'node:assert/strict'
import { startService, type TestService } from '../../support/service.ts'

describe("the client's own id and fields of people", () => {
  let service: TestService
  before(async function () {
    this.timeout(120_000)
    service = await startService()
  })
  after(() => service.close())

  it('are stored with a new card and shown wherever it is', async () => {
    const { call } = await service.workspace()
    const fields = { tier: 'gold', seats: 40, 'is customer': true, 'Größe-2_x': '' }
    const { status, body, text } = await call('POST', '/people', {
      email: 'ann@x.test',
      externalId: 'crm-1',
      fields: { ...fields, gone: null },
    })
    equal(status, 200, text)
    deepEqual([body.externalId, body.fields, body.created], ['crm-1', fields, true])
    const { created: _, ...person } = body
    deepEqual((await call('GET', `/people/${body.id}`)).body, person)
    deepEqual((await call('GET', '/people')).body.people, [person])
    const { body: other } = await call('POST', '/people', { email: 'bob@x.test' })
    deepEqual([other.externalId, other.fields], [null, {}])
  })

  it('need no address', async () => {
    const { call } = await service.workspace()
    const { status, body } = await call('POST', '/people', { externalId: 'crm-1', name: 'Ann' })
    deepEqual([status, body.created, body.emails], [200, true, []])
  })

  it('of a known id: given members replace what stands there, and a given address comes first', async () => {
    const { call } = await service.workspace()
    const { body: ann } = await call('POST', '/people', {
      externalId: 'crm-1',
      name: 'Ann',
      company: 'Acme',
      email: 'ann@x.test',
      phone: '+4930123456',
      fields: { tier: 'gold', seats: 4 },
    })
    const { body } = await call('POST', '/people', {
      externalId: 'crm-1',
      name: 'Anna',
      email: 'anna@x.test',
      fields: { seats: 5, city: 'Bonn', tier: null },
    })
    deepEqual(
      [body.id, body.created, body.name, body.company, body.emails, body.phones, body.fields],
      [
        ann.id,
        false,
        'Anna',
        'Acme',
        ['anna@x.test', 'ann@x.test'],
        ['+4930123456'],
        { seats: 5, city: 'Bonn' },
      ],
    )
    const again = await call('POST', '/people', { externalId: 'crm-1', name: 'Anna' })
    equal(again.body.updatedAt, body.updatedAt)
    const { entries } = (await call('GET', '/audit')).body
    deepEqual(
      entries.map((entry: { action: string }) => entry.action),
      ['person.edited', 'person.created'],
    )
    deepEqual(entries[0].after.fields, { seats: 5, city: 'Bonn', tier: null })
    deepEqual(entries[0].before.fields, { seats: 4, city: null, tier: 'gold' })
  })

  it('of a known id: a given empty text erases, as an edit does', async () => {
    const { call } = await service.workspace()
    const ann = { externalId: 'crm-1', name: 'Ann', company: 'Acme', email: 'ann@x.test' }
    await call('POST', '/people', ann)
    const { status, body } = await call('POST', '/people', { externalId: 'crm-1', company: '' })
    deepEqual([status, body.created, body.name, body.company], [200, false, 'Ann', ''])
    const { entries } = (await call('GET', '/audit')).body
    deepEqual([entries[0].before, entries[0].after], [{ company: 'Acme' }, { company: '' }])
    const blank = { externalId: 'crm-1', name: null, email: '', phone: '' }
    const { body: same } = await call('POST', '/people', blank)
    deepEqual([same.name, same.email, same.updatedAt], ['Ann', 'ann@x.test', body.updatedAt])
    const { body: known } = await call('POST', '/people', { email: 'ann@x.test', name: '' })
    deepEqual([known.name, known.updatedAt], ['Ann', body.updatedAt])
  })

  it('complete the card of a known address, which keeps what it has', async () => {
    const { call } = await service.workspace()
    const { body: ann } = await call('POST', '/people', {
      email: 'ann@x.test',
      name: 'Ann',
      fields: { tier: 'gold' },
    })
    const { body } = await call('POST', '/people', {
      email: 'ann@x.test',
      name: 'Other',
      externalId: 'crm-1',
      fields: { tier: 'blue', seats: 4, gone: null },
    })
    deepEqual(
      [body.id, body.created, body.name, body.externalId, body.fields],
      [ann.id, false, 'Ann', 'crm-1', { tier: 'gold', seats: 4 }],
    )
  })

  it('are refused with 409 if two cards would become one, or one card two', async () => {
    const { call } = await service.workspace()
    const { body: ann } = await call('POST', '/people', {
      externalId: 'crm-1',
      email: 'ann@x.test',
    })
    const { body: bob } = await call('POST', '/people', {
      externalId: 'crm-2',
      email: 'bob@x.test',
    })
    const refused = async (method: string, path: string, body: object) => {
      const reply = await call(method, path, body)
      deepEqual([reply.status, reply.body.code, reply.body.retryable], [409, 'conflict', false])
      return [
        reply.body.people,
        reply.body.errors.map(({ pointer }: { pointer: string }) => pointer),
      ]
    }
    deepEqual(await refused('POST', '/people', { externalId: 'crm-1', email: 'bob@x.test' }), [
      [ann.id, bob.id],
      ['/email'],
    ])
    deepEqual(
      await refused('POST', '/people', {
        externalId: 'crm-1',
        into: bob.id,
        email: 'bobby@x.test',
      }),
      [[bob.id, ann.id], ['/externalId']],
    )
    deepEqual(await refused('POST', '/people', { externalId: 'crm-3', email: 'ann@x.test' }), [
      [ann.id],
      ['/externalId'],
    ])
    deepEqual(await refused('PATCH', `/people/${ann.id}`, { externalId: 'crm-2' }), [
      [ann.id, bob.id],
      ['/externalId'],
    ])
    const { people } = (await call('GET', '/people')).body
    deepEqual(
      people.map((person: { emails: string[] }) => person.emails),
      [['ann@x.test'], ['bob@x.test']],
    )
  })

  it('of two calls at once with a new id make one card', async () => {
    const { call } = await service.workspace()
    const replies = await Promise.all(
      [1, 2, 3, 4].map((i) =>
        call('POST', '/people', { externalId: 'crm-1', email: `ann${i}@x.test` }),
      ),
    )
    equal(new Set(replies.map(({ body }) => body.id)).size, 1)
    const { body } = await call('GET', '/people')
    deepEqual(
      body.people.map((person: { emails: string[] }) => person.emails.length),
      [4],
    )
  })

  it('are edited: fields are merged, and null removes', async () => {
    const { call } = await service.workspace()
    const { body: ann } = await call('POST', '/people', {
      email: 'a@x.test',
      fields: { a: 1, b: 2 },
    })
    const path = `/people/${ann.id}`
    const { body } = await call('PATCH', path, {
      externalId: 'crm-1',
      fields: { b: null, c: false, never: null },
    })
    deepEqual([body.externalId, body.fields], ['crm-1', { a: 1, c: false }])
    const same = await call('PATCH', path, { externalId: 'crm-1', fields: { a: 1, b: null } })
    equal(same.body.updatedAt, body.updatedAt)
    const none = await call('PATCH', path, { externalId: null, fields: null })
    deepEqual([none.body.externalId, none.body.fields], [null, { a: 1, c: false }])
  })

  const refused: [object, string][] = [
    [{ fields: { 'a.b': 1 } }, '/fields/a.b'],
    [{ fields: { '': 1 } }, '/fields/'],
    [{ fields: { '  ': 1 } }, '/fields/  '],
    [{ fields: { ['a'.repeat(61)]: 1 } }, `/fields/${'a'.repeat(61)}`],
    [{ fields: JSON.parse('{"__proto__": 1}') }, '/fields/__proto__'],
    [{ fields: { a: 'x'.repeat(2001) } }, '/fields/a'],
    [{ fields: { a: [1] } }, '/fields/a'],
    [{ fields: { a: 2 ** 53 } }, '/fields/a'],
    [{ fields: { a: -(2 ** 53) } }, '/fields/a'],
    [{ fields: { a: {} } }, '/fields/a'],
    [{ fields: [] }, '/fields'],
    [
      { fields: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`f${i}`, i])) },
      '/fields',
    ],
    [{ externalId: '' }, '/externalId'],
    [{ externalId: 'x'.repeat(256) }, '/externalId'],
    [{ externalId: 7 }, '/externalId'],
  ]
  for (const [body, pointer] of refused)
    it(`refuse ${JSON.stringify(body).slice(0, 60)}`, async () => {
      const { call } = await service.workspace()
      const { body: ann } = await call('POST', '/people', { email: 'ann@x.test' })
      for (const reply of [
        await call('POST', '/people', { email: 'bob@x.test', ...body }),
        await call('PATCH', `/people/${ann.id}`, body),
      ]) {
        deepEqual([reply.status, reply.body.code], [422, 'validation_failed'], reply.text)
        equal(reply.body.errors[0].pointer, pointer, reply.text)
      }
      equal((await call('GET', '/people')).body.people.length, 1)
    })

  it('are refused as numbers that could not be kept exactly, and say so', async () => {
    const { call, token } = await service.workspace()
    const { body: ann } = await call('POST', '/people', { externalId: 'crm-1' })
    for (const number of ['9007199254740993', '-1e400', '1e400', '12345678901234567890']) {
      const reply = await fetch(`${service.url}/api/v1/people/${ann.id}`, {
        method: 'PATCH',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': `big-${number}`,
        },
        body: `{"fields":{"small":1,"big":${number}}}`,
      })
      const { errors } = (await reply.json()) as { errors: Record<string, string>[] }
      deepEqual(
        [reply.status, errors],
        [
          422,
          [
            {
              pointer: '/fields/big',
              code: 'too_big',
              message: 'is a number too large to be kept exactly; give it as a string',
            },
          ],
        ],
        number,
      )
    }
    const kept = { top: 2 ** 53 - 1, bottom: -(2 ** 53) + 1, text: '9007199254740993' }
    const { body } = await call('PATCH', `/people/${ann.id}`, { fields: kept })
    deepEqual(body.fields, kept)
  })

  it('find a number by the spelling with an exponent that programs give it', async () => {
    const { call } = await service.workspace()
    const email = (name: string) => `${name}@x.test`
    for (const [name, rate] of [
      ['ann', 1e-7],
      ['bob', -1.25e-9],
      ['cem', '1e-7'],
      ['dan', '0.0000001'],
      ['eve', 2e-7],
    ] as const)
      await call('POST', '/people', { name, email: email(name), fields: { rate, is: 'here' } })
    // As an earlier release has kept it.
    await service.db
      .updateTable('people')
      .set({ fields: JSON.stringify({ rate: 1e21 }) })
      .where('name', '=', 'eve')
      .execute()
    const found = async (query: string) =>
      (await call('GET', `/people?${query}`)).body.people.map(({ name }: { name: string }) => name)
    deepEqual(await found('field.rate=1e-7'), ['ann', 'cem'])
    deepEqual(await found('field.rate=1e-7&field.is=here'), ['ann', 'cem'])
    deepEqual(await found('field.rate=1e-7&q=cem'), ['cem'])
    deepEqual(await found('field.rate=-1.25e-9'), ['bob'])
    deepEqual(await found(`field.rate=${encodeURIComponent('1e+21')}`), ['eve'])
    deepEqual(await found('field.rate=0.0000001'), ['ann', 'dan'])
  })

  it('are at most a hundred, over several calls too', async () => {
    const { call } = await service.workspace()
    const some = (from: number, n: number) =>
      Object.fromEntries(Array.from({ length: n }, (_, i) => [`f${from + i}`, i]))
    const { body: ann } = await call('POST', '/people', { email: 'a@x.test', fields: some(0, 99) })
    equal((await call('PATCH', `/people/${ann.id}`, { fields: some(99, 1) })).status, 200)
    const { status, body } = await call('PATCH', `/people/${ann.id}`, { fields: some(100, 1) })
    deepEqual([status, body.errors[0].pointer], [422, '/fields'])
    const swapped = { ...some(100, 1), f0: null }
    equal((await call('PATCH', `/people/${ann.id}`, { fields: swapped })).status, 200)
  })

  it('find people, in the order of names and page by page', async () => {
    const { call, product } = await service.workspace()
    const long = 'ä'.repeat(1999)
    const names = ['cleo', 'Ann', 'Dora', 'bob', 'Emil']
    for (const [i, name] of names.entries())
      await call('POST', '/people', {
        name,
        email: `p${i}@x.test`,
        externalId: `crm-${i}`,
        fields: { tier: i === 3 ? 'blue' : 'gold', seats: i, on: i < 2, 'a b': long + (i % 2) },
      })
    const found = async (query: string) => {
      const all: string[] = []
      for (let next = ''; ; ) {
        const { status, body, text } = await call('GET', `/people?limit=2&${query}&cursor=${next}`)
        equal(status, 200, text)
        all.push(...body.people.map((person: { name: string }) => person.name))
        next = body.next
        if (!next) return all
      }
    }
    deepEqual(await found('externalId=crm-3'), ['bob'])
    deepEqual(await found('externalId=crm-9'), [])
    deepEqual(await found('field.tier=gold'), ['Ann', 'cleo', 'Dora', 'Emil'])
    deepEqual(await found('field.seats=4'), ['Emil'])
    deepEqual(await found('field.on=true'), ['Ann', 'cleo'])
    deepEqual(await found('field.on=false&field.tier=gold'), ['Dora', 'Emil'])
    deepEqual(await found(`field.a%20b=${encodeURIComponent(`${long}1`)}`), ['Ann', 'bob'])
    deepEqual(await found('field.tier=gold&q=o'), ['cleo', 'Dora'])
    deepEqual(await found('field.tier=gold&externalId=crm-3'), [])
    deepEqual(await found('field.none=1'), [])
    deepEqual(await found('field.tier=gold&updatedSince=2026-11-01T00:00:00Z'), [
      'cleo',
      'Ann',
      'Dora',
      'Emil',
    ])
    const { body } = await call('GET', '/people?externalId=crm-0')
    await call('PATCH', `/people/${body.people[0].id}`, { name: 'Aaron', fields: { tier: null } })
    await call('POST', `/people/${body.people[0].id}/tags`, { label: product, side: 'buyer' })
    deepEqual(await found('field.on=true'), ['Aaron', 'Ann'])
    deepEqual(await found(`field.on=true&label=${product}`), ['Aaron'])
    deepEqual(await found('field.tier=gold'), ['Ann', 'Dora', 'Emil'])
  })

  it('are refused in a query where they are not named well', async () => {
    const { call } = await service.workspace()
    const many = Array.from({ length: 11 }, (_, i) => `field.f${i}=1`).join('&')
    const rule = 'must be field.NAME with a name of 1 to 60 letters, digits, spaces, _ or -'
    for (const [query, parameter, message] of [
      ['field.=1', 'field.', rule],
      ['field=1', 'field', rule],
      ['field.a.b=1', 'field.a.b', rule],
      ['field.a=1&field.a=2', 'field.a', 'is given more than once'],
      [`field.a=${'v'.repeat(2001)}`, 'field.a', 'must have at most 2000 characters'],
      [many, 'field', 'must have at most 10 fields'],
    ] as const) {
      const { status, body } = await call('GET', `/people?${query}`)
      deepEqual([status, body.code], [400, 'invalid_query'], query)
      deepEqual([body.errors[0].parameter, body.errors[0].message], [parameter, message])
    }
    equal((await call('GET', '/conversations?field.a=1')).status, 400)
  })

  it("do not leave another workspace's sight", async () => {
    const [one, other] = [await service.workspace(), await service.workspace()]
    const person = { externalId: 'crm-1', email: 'ann@x.test', fields: { tier: 'gold' } }
    const { body: ann } = await one.call('POST', '/people', person)
    deepEqual((await other.call('GET', '/people?externalId=crm-1')).body.people, [])
    deepEqual((await other.call('GET', '/people?field.tier=gold')).body.people, [])
    const { body: theirs } = await other.call('POST', '/people', person)
    ok(theirs.created && theirs.id !== ann.id)
  })

  it('are not in the reduced deployment', async () => {
    const reduced = await startService({ variant: 'reduced', databaseUrl: service.databaseUrl })
    try {
      const { call } = await reduced.workspace()
      equal((await call('GET', '/people?externalId=x')).status, 400)
      equal((await call('GET', '/people?field.a=1')).status, 400)
    } finally {
      await reduced.close()
    }
  })
})
