import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { startReceiver } from '../../support/receiver.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

describe('POST /webhooks/{id}/test', function () {
  this.timeout(60_000)
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  it('sends webhook.test at once, signed, once a key, and answers the status', async () => {
    const receiver = await startReceiver([204, 500, 302])
    const { id, call } = await service.workspace()
    const { url } = receiver
    const { body: hook } = await call('POST', '/webhooks', { url, enabled: false })
    const path = `/webhooks/${hook.id}/test`
    const key = randomUUID()
    const first = await call('POST', path, undefined, { key })
    deepEqual([first.status, first.body.status, first.body.problem], [200, 204, null], first.text)
    ok(first.body.ms >= 0 && first.body.ms < 10_000)
    deepEqual((await call('POST', path, undefined, { key })).body, first.body)
    equal(receiver.got.length, 1)
    const { type, data } = receiver.read(receiver.got[0], hook.secret)
    deepEqual([type, data['workspace'], data['resource']], ['webhook.test', id, hook.id])
    equal(receiver.got[0]?.headers['webhook-id'], data['id'])
    match(String(data['id']), /^evt_/)

    const second = (await call('POST', path)).body
    deepEqual([second.status, second.problem], [500, 'refused'])
    const third = (await call('POST', path)).body
    deepEqual([third.status, third.problem], [302, 'redirect'])
    deepEqual((await call('GET', `/webhooks/${hook.id}/deliveries`)).body.deliveries, [])
    equal((await call('GET', `/webhooks/${hook.id}`)).body.failingSince, null)
    const kinds = await eventually(
      async () => (await call('GET', '/events?kinds=webhook.tested')).body.events,
      (events) => events.length === 3,
    )
    equal(kinds[0].resource, hook.id)
    await receiver.close()
    const gone = (await call('POST', path)).body
    deepEqual([gone.status, gone.problem], [null, 'unreachable'])

    for (let i = 0; i < 2; i++) equal((await call('POST', path)).status, 200)
    const { status, body } = await call('POST', path)
    deepEqual([status, body.code], [429, 'rate_limited'])
    const other = await service.workspace()
    equal((await other.call('POST', path)).status, 404)
  })

  it('leads to no private address', async () => {
    const receiver = await startReceiver()
    const strict = await startService({
      databaseUrl: service.databaseUrl,
      webhookAllowPrivate: false,
    })
    const { call, token } = await service.workspace()
    const { body: hook } = await call('POST', '/webhooks', { url: receiver.url })
    const answer = await fetch(`${strict.url}/api/v1/webhooks/${hook.id}/test`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'idempotency-key': randomUUID(),
      },
    })
    const body = (await answer.json()) as { status: number | null; problem: string }
    deepEqual([answer.status, body.status, body.problem], [200, null, 'private_address'])
    equal(receiver.got.length, 0)
    await strict.close()
  })
})
