import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { deliverEventsActivities } from '../../../activities/events/deliver-events.ts'
import { recordEvent } from '../../../db/events/events.ts'
import { exchange } from '../../../process/network/exchange.ts'
import { createLog } from '../../../process/telemetry/log.ts'
import { secretKey } from '../../support/given.ts'
import { startReceiver } from '../../support/receiver.ts'
import { startService, type TestService } from '../../support/service.ts'

const hours = 60 * 60 * 1000

describe('a delivery', () => {
  let service: TestService
  beforeEach(async () => {
    service = await startService()
  })
  afterEach(() => service.close())

  const activities = (webhookAllowPrivate: boolean) =>
    deliverEventsActivities({
      db: service.db,
      clock: service.clock,
      log: createLog('test', 'silent'),
      secretKey,
      publicUrl: 'http://127.0.0.1',
      webhookAllowPrivate,
      crash: () => {},
      workflowState: async () => 'running',
    })

  /** A webhook that one event is on its way to. */
  async function delivery(url: string, allowPrivate = true) {
    const workspace = await service.workspace()
    const { call } = workspace
    const { body: webhook } = await call('POST', '/webhooks', { url })
    await service.db.transaction().execute((trx) =>
      recordEvent(trx, {
        workspace: workspace.id,
        kind: 'message.sent',
        at: service.clock.now(),
        resource: 'msg_1',
        data: { state: 'sent' },
      }),
    )
    const row = async () =>
      (await call('GET', `/webhooks/${webhook.id}/deliveries`)).body.deliveries[0]
    const { id } = await row()
    const runner = { workspace: workspace.id, webhook: webhook.id, epoch: 0 }
    const attempt = () => activities(allowPrivate).deliverEvents(runner)
    const read = async () => (await call('GET', `/webhooks/${webhook.id}`)).body
    return { ...workspace, webhook, row, attempt, read, id }
  }

  it('is signed, names the event, and is done with a 2xx', async () => {
    const receiver = await startReceiver([200])
    const { attempt, row, webhook, id: _ } = await delivery(receiver.url)
    deepEqual(await attempt(), { do: 'end' })
    const [got, ...more] = receiver.got
    equal(more.length, 0)
    const { type, timestamp, data } = receiver.read(got, webhook.secret)
    equal(type, 'message.sent')
    equal(data['resource'], 'msg_1')
    equal(data['id'], got?.headers['webhook-id'])
    ok(Date.parse(timestamp))
    const { state, attempts, status, event, problem } = await row()
    deepEqual([state, attempts, status, problem], ['delivered', 1, 200, null])
    equal(event, data['id'])
    // Done is done.
    deepEqual(await attempt(), { do: 'end' })
    equal(receiver.got.length, 1)
  })

  it('is tried ten times over three days with growing waits, and then fails', async () => {
    const receiver = await startReceiver([500])
    const { attempt, row, read, call } = await delivery(receiver.url)
    const waits: number[] = []
    for (;;) {
      const step = await attempt()
      if (step.do !== 'wait') break
      waits.push(Math.round(step.delayMs / 1000))
      await service.clock.set(step.until)
    }
    deepEqual(
      waits,
      [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].slice(0, waits.length),
    )
    equal(waits.length, 9)
    equal(receiver.got.length, 10)
    equal(new Set(receiver.got.map(({ headers }) => headers['webhook-id'])).size, 1)
    const { state, status, problem, nextTryAt } = await row()
    deepEqual([state, status, problem, nextTryAt], ['failed', 500, 'refused', null])
    const { enabled, problem: why, failingSince } = await read()
    deepEqual([enabled, why], [false, 'failing'])
    ok(failingSince)
    const { notifications } = (await call('GET', '/notifications')).body
    deepEqual(
      notifications.map(({ kind }: { kind: string }) => kind),
      ['webhook.disabled'],
    )
  })

  it('is not tried before its time', async () => {
    const receiver = await startReceiver([503])
    const { attempt } = await delivery(receiver.url)
    await attempt()
    const step = await attempt()
    ok(step.do === 'wait' && step.delayMs > 3000 && step.delayMs <= 5000)
    equal(receiver.got.length, 1)
  })

  it('starts counting failures afresh once an address works again', async () => {
    const receiver = await startReceiver([500, 204])
    const { attempt, read } = await delivery(receiver.url)
    const step = await attempt()
    ok((await read()).failingSince)
    if (step.do === 'wait') await service.clock.set(step.until)
    await attempt()
    equal((await read()).failingSince, null)
  })

  it('disables a webhook whose address is gone', async () => {
    const receiver = await startReceiver([410])
    const { attempt, row, read } = await delivery(receiver.url)
    deepEqual(await attempt(), { do: 'end' })
    equal((await row()).state, 'failed')
    const { enabled, problem } = await read()
    deepEqual([enabled, problem], [false, 'gone'])
  })

  it('follows no redirect', async () => {
    const receiver = await startReceiver([302])
    const { attempt, row } = await delivery(receiver.url)
    equal((await attempt()).do, 'wait')
    deepEqual(
      receiver.got.map(({ path }) => path),
      ['/events'],
    )
    equal((await row()).problem, 'redirect')
  })

  it('is not sent to a private address unless that is allowed', async () => {
    const receiver = await startReceiver()
    const ports = [
      receiver.url,
      `http://localhost:${receiver.port}/`,
      `http://[::ffff:127.0.0.1]:${receiver.port}/`,
      `http://0x7f000001:${receiver.port}/`,
      `http://2130706433:${receiver.port}/`,
    ]
    for (const url of ports) {
      const { attempt, row } = await delivery(url, false)
      equal((await attempt()).do, 'wait')
      equal((await row()).problem, 'private_address', url)
    }
    equal(receiver.got.length, 0)
  })

  it('is signed with both secrets for a day after a rotation', async () => {
    const receiver = await startReceiver([500])
    const { attempt, call, webhook } = await delivery(receiver.url)
    const { body } = await call('PATCH', `/webhooks/${webhook.id}`, { rotate: true })
    match(body.secret, /^whsec_/)
    ok(body.secret !== webhook.secret)
    await attempt()
    for (const secret of [webhook.secret, body.secret]) receiver.read(receiver.got[0], secret)
    await service.clock.set(new Date(service.clock.now().getTime() + 25 * hours).toISOString())
    await attempt()
    receiver.read(receiver.got[1], body.secret)
    equal(receiver.got[1]?.headers['webhook-signature']?.toString().split(' ').length, 1)
  })

  it('fails when its webhook is disabled, and ends when its webhook is deleted', async () => {
    const receiver = await startReceiver()
    const one = await delivery(receiver.url)
    await one.call('PATCH', `/webhooks/${one.webhook.id}`, { enabled: false })
    deepEqual(await one.attempt(), { do: 'end' })
    equal((await one.row()).problem, 'disabled')
    const other = await delivery(receiver.url)
    equal((await other.call('DELETE', `/webhooks/${other.webhook.id}`)).status, 200)
    deepEqual(await other.attempt(), { do: 'end' })
    equal(receiver.got.length, 0)
  })
})

describe('one HTTP request', () => {
  const ask = (url: string, more = {}) =>
    exchange({
      method: 'POST',
      url,
      headers: {},
      body: '{}',
      timeoutMs: 300,
      answerLimit: 1000,
      ...more,
    })

  it('is given up at its time limit, and says that it may have been read', async () => {
    const receiver = await startReceiver(['hang'])
    deepEqual(await ask(receiver.url), { problem: 'timeout', reached: true })
    equal(receiver.got.length, 1)
  })

  it('says that nothing was sent when nobody listens', async () => {
    const receiver = await startReceiver()
    await receiver.close()
    deepEqual(await ask(receiver.url), { problem: 'unreachable', reached: false })
    const unknown = await ask('http://no-such-host.invalid/', { timeoutMs: 5000 })
    deepEqual(unknown, { problem: 'unresolved', reached: false })
  })

  it('reads only a bounded part of the answer', async () => {
    const receiver = await startReceiver([200])
    const answer = await ask(receiver.url)
    ok(answer.problem === null && answer.status === 200)
    ok(answer.problem === null && answer.body.length <= 1000)
  })
})
