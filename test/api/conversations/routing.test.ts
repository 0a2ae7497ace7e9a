import { deepEqual, equal, ok } from 'node:assert/strict'
import { auditedActions } from '../../support/audited.ts'
import { givenRouting } from '../../support/routing.ts'
import { type Reply, startService, type TestService } from '../../support/service.ts'

type Rule = { id: string; field: string; value: string; member: string }

describe('/routing', () => {
  let service: TestService
  before(async function () {
    this.timeout(60_000)
    service = await startService()
  })
  after(() => service.close())

  const givenRoom = () => givenRouting(service)
  const wrong = ({ body }: Reply) =>
    body.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`)

  it('starts without rules and switched off', async () => {
    deepEqual(await (await givenRoom()).read(), { enabled: false, rules: [] })
  })

  it('adds a rule after the others and answers its id', async () => {
    const room = await givenRoom()
    const first = await room.edit({ do: 'add', field: 'side', value: 'client', member: room.ben })
    const rule = { id: first.body.rule, field: 'side', value: 'buyer', member: room.ben }
    deepEqual(first.body, { enabled: false, rules: [rule], rule: rule.id })
    const second = await room.add('product', room.product, room.member)
    deepEqual(await room.order(), [rule.id, second])
  })

  it('stores each value in its canonical form, given by id or by name', async () => {
    const room = await givenRoom()
    const { name } = (await room.call('GET', `/products/${room.product}`)).body
    const [account] = (await room.call('GET', '/channels')).body.channels
    const given = [
      ['label', room.label, room.label],
      ['label', 'vip', room.label],
      ['label', room.product, room.product],
      ['side', 'partner', 'seller'],
      ['product', name, room.product],
      ['sender', ' Ann@Client.Example ', 'ann@client.example'],
      ['sender', '@Client.Example', '@client.example'],
      ['sender', '+49 30 123456', '+4930123456'],
      ['sender', account.id, account.id],
      ['sender', account.account.toUpperCase(), account.id],
      ['company', room.company, room.company],
      ['company', 'Us Ltd', room.company],
      ['agent', room.agent, room.agent],
    ] as const
    for (const [field, value] of given) await room.add(field, value)
    deepEqual(
      (await room.read()).rules.map(({ field, value }: Rule) => [field, value]),
      given.map(([field, , kept]) => [field, kept]),
    )
  })

  it('refuses a value that does not fit its field, by its pointer', async () => {
    const room = await givenRoom()
    const theirs = await givenRoom()
    const values = {
      label: theirs.label,
      side: 'both',
      product: theirs.product,
      sender: 'nobody',
      company: theirs.company,
      agent: theirs.agent,
    }
    for (const [field, value] of Object.entries(values)) {
      const reply = await room.edit({ do: 'add', field, value, member: theirs.ben })
      equal(reply.status, 422, reply.text)
      deepEqual(wrong(reply), ['/value unknown_id', '/member unknown_id'])
    }
    const reply = await room.edit({ do: 'add', field: 'sender', value: '@x', member: room.ben })
    deepEqual(wrong(reply), ['/value unknown_id'])
    deepEqual((await room.read()).rules, [])
  })

  it('requires exactly the members that each edit takes, naming each', async () => {
    const room = await givenRoom()
    const rule = await room.add('side', 'buyer')
    const cases: [object, string[]][] = [
      [{ do: 'add' }, ['/field required', '/value required', '/member required']],
      [{ do: 'drop' }, ['/rule required']],
      [{ do: 'up', rule, enabled: true }, ['/enabled unexpected']],
      [{ do: 'down', rules: [rule] }, ['/rule required', '/rules unexpected']],
      [{ do: 'order', rule }, ['/rules required', '/rule unexpected']],
      [{ do: 'switch' }, ['/enabled required']],
      [{ do: 'switch', enabled: 'yes' }, ['/enabled invalid_type']],
      [{ do: 'turn' }, ['/do invalid_value']],
      [{}, ['/do invalid_value']],
      [{ do: 'up', rule: 'rul_none' }, ['/rule unknown_id']],
    ]
    for (const [body, problems] of cases) {
      const reply = await room.edit(body)
      deepEqual([reply.status, wrong(reply)], [422, problems], JSON.stringify(body))
    }
    equal((await room.edit({ do: 'switch', enabled: true, rule: null, field: null })).status, 200)
  })

  it('moves rules up and down, and leaves the first and the last in place', async () => {
    const room = await givenRoom()
    const [a = '', b = '', c = ''] = [
      await room.add('side', 'buyer'),
      await room.add('side', 'seller'),
      await room.add('label', 'VIP'),
    ]
    const moved = async (move: object) => {
      const reply = await room.edit(move)
      equal(reply.status, 200, reply.text)
      deepEqual(reply.body, await room.read())
      return room.order()
    }
    deepEqual(await moved({ do: 'up', rule: c }), [a, c, b])
    deepEqual(await moved({ do: 'up', rule: a }), [a, c, b])
    deepEqual(await moved({ do: 'down', rule: a }), [c, a, b])
    deepEqual(await moved({ do: 'down', rule: b }), [c, a, b])
    deepEqual(await moved({ do: 'order', rules: [b, c, a] }), [b, c, a])
    deepEqual(await moved({ do: 'drop', rule: c }), [b, a])
    deepEqual(await moved({ do: 'order', rules: [a, b] }), [a, b])
    const actions = await auditedActions(room.call)
    equal(actions.filter((action) => action === 'routing.edited').length, 8)
  })

  it('accepts an order only if it holds every rule exactly once', async () => {
    const room = await givenRoom()
    const [a, b] = [await room.add('side', 'buyer'), await room.add('side', 'seller')]
    const cases: [string[], string[]][] = [
      [[a], ['/rules incomplete']],
      [[], ['/rules incomplete']],
      [
        [a, a],
        ['/rules/1 repeated', '/rules incomplete'],
      ],
      [[a, b, 'rul_none'], ['/rules/2 unknown_id']],
      [[a, b, b], ['/rules/2 repeated']],
    ]
    for (const [rules, problems] of cases) {
      const reply = await room.edit({ do: 'order', rules })
      deepEqual([reply.status, wrong(reply)], [422, problems])
    }
    deepEqual(await room.order(), [a, b])
  })

  it('keeps every rule once, in one order, under simultaneous moves', async () => {
    const room = await givenRoom()
    const rules: string[] = []
    for (let i = 0; i < 6; i++) rules.push(await room.add('side', 'buyer'))
    const replies = await Promise.all([
      ...rules.map((rule) => room.edit({ do: 'up', rule })),
      ...rules.map((rule) => room.edit({ do: 'down', rule })),
      ...rules.slice(0, 2).map((rule) => room.edit({ do: 'drop', rule })),
      ...rules.slice(0, 3).map(() => room.edit({ do: 'order', rules: rules.toReversed() })),
      ...rules.slice(0, 3).map(() => room.add('side', 'seller')),
    ])
    for (const reply of replies)
      if (typeof reply === 'object') ok([200, 422].includes(reply.status), reply.text)
    const rows = await service.db
      .selectFrom('routingRules')
      .select(['id', 'position'])
      .where('workspace', '=', room.id)
      .orderBy('position')
      .execute()
    deepEqual(
      rows.map(({ id }) => id),
      await room.order(),
    )
    deepEqual(
      rows.map(({ id }) => id).filter((id) => rules.includes(id)).length + 3,
      rows.length,
      'four of the first six and the three added',
    )
    equal(rows.length, 7)
    equal(new Set(rows.map(({ position }) => position)).size, 7)
  })
})
