import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { receiveMessage } from '../../../db/inbox/receive-message.ts'
import { givenConversation, givenPeople, secretKey } from '../../support/given.ts'
import { startReceiver } from '../../support/receiver.ts'
import { eventually, type SharedService, sharedService } from '../../support/service.ts'

type Delivery = { id: string; kind: string; state: string; attempts: number; event: string }

describe('webhooks', function () {
  this.timeout(60_000)
  let service: SharedService
  before(async function () {
    service = await sharedService(this.test?.ctx)
  })

  async function given(kinds?: string[], answers?: (number | 'hang')[]) {
    const receiver = await startReceiver(answers)
    const workspace = await service.workspace()
    const { call, product } = workspace
    const key = randomUUID()
    const {
      body: webhook,
      status,
      text,
    } = await call('POST', '/webhooks', { url: receiver.url, kinds }, { key })
    equal(status, 200, text)
    const path = `/webhooks/${webhook.id}`
    const deliveries = async (): Promise<Delivery[]> =>
      (await call('GET', `${path}/deliveries`)).body.deliveries
    const edit = (goal: string) => call('PATCH', `/products/${product}`, { goal })
    return { ...workspace, receiver, webhook, path, deliveries, edit, key }
  }

  it('send what happened to their addresses', async () => {
    const { receiver, webhook, deliveries, edit, product } = await given()
    await edit('sale')
    await eventually(deliveries, ([one]) => one?.state === 'delivered')
    const { type, data } = receiver.read(receiver.got[0], webhook.secret)
    deepEqual([type, data['resource'], data['members']], ['product.edited', product, ['goal']])
    const [delivery, ...more] = await deliveries()
    deepEqual([delivery?.event, delivery?.kind, more.length], [data['id'], 'product.edited', 0])
  })

  it('send the kinds they ask for, while they are enabled', async () => {
    const { receiver, deliveries, edit, call, path, product } = await given(['product.edited'])
    await call('PATCH', '/workspace', { tagging: false })
    await edit('sale')
    await eventually(deliveries, ([one]) => one?.state === 'delivered')
    await call('PATCH', path, { enabled: false })
    await edit('demo')
    await call('PATCH', path, { enabled: true, kinds: ['company.edited', 'company.edited'] })
    await edit('partnership')
    deepEqual((await call('GET', path)).body.kinds, ['company.edited'])
    deepEqual(
      (await deliveries()).map(({ kind }) => kind),
      ['product.edited'],
    )
    equal(receiver.got.length, 1)
    ok(product)
  })

  it('retry what was not accepted', async () => {
    const { receiver, deliveries, edit } = await given(undefined, [500, 204])
    await edit('sale')
    const [one] = await eventually(deliveries, ([one]) => one?.state === 'delivered', 30_000)
    equal(one?.attempts, 2)
    const ids = receiver.got.map(({ headers }) => headers['webhook-id'])
    deepEqual([ids.length, new Set(ids).size], [2, 1])
  })

  it('send again what an operator asks for, whatever its state', async () => {
    const { receiver, deliveries, edit, call, path } = await given(undefined, [204, 410, 204])
    await edit('sale')
    const [first] = await eventually(deliveries, ([one]) => one?.state === 'delivered')
    const again = () => call('POST', `${path}/deliveries/${first?.id}/redeliver`, {})
    const { body } = await again()
    deepEqual([body.state, body.attempts, body.event], ['queued', 0, first?.event])
    await eventually(deliveries, ([one]) => one?.state === 'failed')
    const off = await again()
    deepEqual([off.status, off.body.code], [409, 'invalid_state'])
    equal((await call('GET', path)).body.problem, 'gone')
    equal((await call('PATCH', path, { enabled: true })).body.problem, null)
    await again()
    await eventually(deliveries, ([one]) => one?.state === 'delivered')
    equal(receiver.got.length, 3)
    equal((await call('POST', `${path}/deliveries/dlv_none/redeliver`, {})).status, 404)
  })

  it('show their secret once, only to the caller who created them', async () => {
    const { webhook, call, path, key, receiver } = await given()
    match(webhook.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    const repeat = await call('POST', '/webhooks', { url: receiver.url }, { key })
    deepEqual(
      [repeat.body.secret, repeat.headers.get('idempotent-replayed')],
      [webhook.secret, 'true'],
    )
    const rotated = (await call('PATCH', path, { rotate: true }, { key: 'turn' })).body
    match(rotated.secret, /^whsec_/)
    notEqual(rotated.secret, webhook.secret)
    equal(
      (await call('PATCH', path, { rotate: true }, { key: 'turn' })).body.secret,
      rotated.secret,
    )
    equal((await call('PATCH', path, { enabled: true })).body.secret, null)
    for (const read of [
      path,
      '/webhooks',
      `/operations/${key}`,
      '/operations/turn',
      '/audit',
      '/events',
    ])
      ok(!(await call('GET', read)).text.includes('whsec_'), read)
    equal((await call('GET', `/operations/${key}`)).body.result.id, webhook.id)
    const { db } = service
    const rows = JSON.stringify([
      await db.selectFrom('operations').selectAll().execute(),
      await db.selectFrom('webhooks').selectAll().execute(),
      await db.selectFrom('outbox').selectAll().execute(),
    ])
    ok(!rows.includes('whsec_'))
    ok(secretKey)
  })

  it('accept only http and https, and no password in the address', async () => {
    const { call } = await service.workspace()
    const wrong = [
      'ftp://x.example',
      'x',
      '',
      'https://a:b@x.example',
      'http://x y',
      `https://x.example/${'x'.repeat(2000)}`,
    ]
    for (const url of wrong) equal((await call('POST', '/webhooks', { url })).status, 422, url)
    equal(
      (await call('POST', '/webhooks', { url: 'https://x.example', kinds: ['none.such'] })).status,
      422,
    )
  })

  it('report an incoming message, and the waking of its conversation', async () => {
    const { call, id, connections, deliveries, member } = await given([
      'message.received',
      'conversation.woken',
    ])
    const { db, clock } = service
    const email = `${randomUUID()}@client.example`
    const at = clock.now()
    const [person = ''] = await givenPeople(db, id, [{ name: 'Cleo', email }], at)
    const conversation = await givenConversation(db, id, {
      person,
      connection: connections[0],
      from: email,
      subject: 'Cold room',
      at,
    })
    const snoozeUntil = new Date(at.getTime() + 86_400_000).toISOString()
    await call(
      'PATCH',
      `/conversations/${conversation}`,
      { snoozeUntil, owner: member },
      { key: 'nap' },
    )
    const operation = async () => (await call('GET', '/operations/nap')).body
    await eventually(operation, ({ state }) => state === 'waiting')
    await db.transaction().execute((trx) =>
      receiveMessage(
        trx,
        {
          workspace: id,
          connection: connections[0],
          externalId: '<hi@client>',
          to: '',
          from: { name: 'Cleo', address: email },
          subject: 'Re: Cold room',
          text: 'Hi',
          at,
          references: [],
          files: [],
          automated: false,
        },
        clock.now(),
      ),
    )
    const { result } = await eventually(operation, ({ state }) => state === 'done')
    deepEqual(result, { state: 'open', superseded: false, early: true, lateBy: 0 })
    const all = await eventually(
      deliveries,
      (all) => all.filter(({ state }) => state === 'delivered').length === 2,
    )
    deepEqual(all.map(({ kind }) => kind).sort(), ['conversation.woken', 'message.received'])
  })
})
