import { deepEqual, equal } from 'node:assert/strict'
import { givenPeople } from '../../support/given.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('deals', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  async function given() {
    const ours = await service.workspace()
    const named = [
      { name: 'Sam', email: `sam-${ours.id}@x.test` },
      { name: 'Bo', email: `bo-${ours.id}@x.test` },
    ]
    const [seller = '', buyer = ''] = await givenPeople(
      service.db,
      ours.id,
      named,
      service.clock.now(),
    )
    const deal = { label: ours.product, seller, buyer, agent: ours.agent }
    return { ...ours, deal, make: async () => (await ours.call('POST', '/deals', deal)).body }
  }

  it('join a product, a seller, a buyer and an agent', async () => {
    const { call, deal } = await given()
    const { status, body, text } = await call('POST', '/deals', deal)
    equal(status, 200, text)
    const { id, createdAt, ...rest } = body
    deepEqual(rest, {
      ...deal,
      client: { id: deal.buyer, name: 'Bo' },
      partner: { id: deal.seller, name: 'Sam' },
      stage: 'new',
      state: 'open',
      closed: false,
      closedAt: null,
    })
    deepEqual((await call('GET', `/deals/${id}`)).body, body)
    deepEqual((await call('GET', '/deals')).body, { deals: [body], next: null })
    const [line] = (await call('GET', '/audit')).body.entries
    deepEqual([line.action, line.resource, line.after], ['deal.created', id, deal])
  })

  it('take the exact name of a product', async () => {
    const { call, deal, product } = await given()
    const name = (await call('GET', `/products/${product}`)).body.name
    equal((await call('POST', '/deals', { ...deal, label: name })).body.label, product)
    const other = await call('POST', '/deals', { ...deal, label: name.toLowerCase() })
    deepEqual([other.status, other.body.errors[0].pointer], [422, '/label'])
  })

  it('refuse unknown ids, each by its pointer, and one person on both sides', async () => {
    const { call, deal } = await given()
    const theirs = await given()
    const reply = await call('POST', '/deals', theirs.deal)
    equal(reply.status, 422)
    deepEqual(
      reply.body.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`),
      ['/label unknown_id', '/seller unknown_id', '/buyer unknown_id', '/agent unknown_id'],
    )
    const same = await call('POST', '/deals', { ...deal, seller: deal.buyer })
    deepEqual([same.status, same.body.errors[0].pointer], [422, '/buyer'])
    for (const member of Object.keys(deal)) {
      const { status, body } = await call('POST', '/deals', { ...deal, [member]: undefined })
      deepEqual([status, body.errors[0].pointer], [422, `/${member}`])
    }
  })

  it('move by stage, close and open again', async () => {
    const { call, make } = await given()
    const { id } = await make()
    const patch = async (body: object) => (await call('PATCH', `/deals/${id}`, body)).body
    equal((await patch({ stage: 'x'.repeat(100) })).stage.length, 100)
    const closed = await patch({ closed: true })
    deepEqual([closed.state, closed.closed, typeof closed.closedAt], ['closed', true, 'string'])
    deepEqual(await patch({ closed: true, stage: null }), closed)
    equal((await patch({ stage: 'won' })).stage, 'won')
    const open = await patch({ closed: false })
    deepEqual([open.state, open.closed, open.closedAt], ['open', false, null])
    const actions = (await call('GET', '/audit')).body.entries.map(
      (e: { after: object }) => e.after,
    )
    deepEqual(actions.slice(0, 4), [
      { closed: false },
      { stage: 'won' },
      { closed: true },
      { stage: 'x'.repeat(100) },
    ])
  })

  it('take exactly one of stage and closed', async () => {
    const { call, make } = await given()
    const { id } = await make()
    const bodies = [{}, { stage: 'won', closed: true }, { stage: null, closed: null }]
    for (const body of [...bodies, { stage: '' }, { stage: 'x'.repeat(101) }, { closed: 'yes' }]) {
      const reply = await call('PATCH', `/deals/${id}`, body)
      equal(`${reply.status} ${reply.body.code}`, '422 validation_failed')
    }
  })

  it('are listed newest first, in pages, and by state', async () => {
    const { call, make } = await given()
    const ids: string[] = []
    for (const _ of [1, 2, 3, 4]) ids.unshift((await make()).id)
    await call('PATCH', `/deals/${ids[1]}`, { closed: true })
    const list = async (query: string) => {
      const { body } = await call('GET', `/deals${query}`)
      return body.deals.map((deal: { id: string }) => deal.id)
    }
    deepEqual(await list(''), ids)
    deepEqual(await list('?state=closed'), [ids[1]])
    equal((await list('?state=open')).length, 3)
    const first = (await call('GET', '/deals?limit=3&state=open')).body
    equal(first.next, null)
    const page = (await call('GET', '/deals?limit=3')).body
    equal((await call('GET', `/deals?limit=3&cursor=${page.next}`)).body.deals.length, 1)
    equal((await call('GET', '/deals?state=won')).status, 400)
  })
})
