import { equal, rejects } from 'node:assert/strict'
import { Webhook } from 'standardwebhooks'
import { pythonBin } from '../../support/python.ts'
import { startReceiver } from '../../support/receiver.ts'
import { type SharedService, sharedService } from '../../support/service.ts'
import { type Python, startDriver } from './python.ts'

const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const other = 'whsec_oLhaxJ5xQjBKCWHvHUDEJ4QFtFC6j4vC'
const now = Date.parse('2026-11-23T09:00:00Z') / 1000
const body = '{"type":"touch.sent","timestamp":"2026-11-23T09:00:00.000Z","data":{"id":"evt_1"}}'

/** The headers of a request, as the library of Standard Webhooks makes them. */
const headersOf = (secrets = [secret], at = now, text = body) => ({
  'Webhook-Id': 'evt_1',
  'webhook-timestamp': String(at),
  'webhook-signature': secrets
    .map((one) => new Webhook(one).sign('evt_1', new Date(at * 1000), text))
    .join(' '),
})

describe('verify_webhook of Python', function () {
  this.timeout(60_000)
  const invalid = { code: 'invalid_signature' }
  let python: Python
  before(async function () {
    this.timeout(600_000)
    python = startDriver(await pythonBin(this), 'Postroom')
  })
  after(() => void python?.close())

  const verify = (given: Record<string, unknown>) =>
    python.ask('verify', { body, headers: headersOf(), secret, now, ...given })

  it('answers the event', async () => {
    equal((await verify({})).type, 'touch.sent')
  })

  it('takes either secret while they rotate, on both sides', async () => {
    await verify({ headers: headersOf([secret, other]), secret: other })
    await verify({ headers: headersOf([secret, other]), secret })
    await verify({ headers: headersOf([secret]), secret: [other, secret] })
    await verify({ headers: headersOf([other]), secret: [other, secret] })
  })

  it('refuses another secret, another body and another id', async () => {
    await rejects(verify({ secret: other }), invalid)
    await rejects(verify({ body: `${body} ` }), invalid)
    await rejects(verify({ headers: { ...headersOf(), 'Webhook-Id': 'evt_2' } }), invalid)
  })

  it('refuses what was signed too long ago or too far ahead', async () => {
    for (const seconds of [-301, 301]) {
      const headers = headersOf([secret], now + seconds)
      await rejects(verify({ headers }), invalid)
      await verify({ headers, tolerance_seconds: 600 })
    }
    for (const timestamp of ['soon', '１７', 'NaN'])
      await rejects(
        verify({ headers: { ...headersOf(), 'webhook-timestamp': timestamp } }),
        invalid,
      )
  })

  it('refuses a request without a header, and signatures of other kinds', async () => {
    for (const name of ['Webhook-Id', 'webhook-timestamp', 'webhook-signature'])
      await rejects(verify({ headers: { ...headersOf(), [name]: '' } }), invalid)
    const signed = headersOf()['webhook-signature']
    for (const signature of ['v1,', 'v1,***', 'v1,ä', 'v2,AAAA', signed.slice(3)])
      await rejects(
        verify({ headers: { ...headersOf(), 'webhook-signature': signature } }),
        invalid,
      )
  })

  it('says so if the secret is none', async () => {
    for (const none of ['', 'whsec_', 'whsec_*'])
      await rejects(verify({ secret: none }), { code: 'invalid_options' })
  })

  describe('of the service', () => {
    let service: SharedService
    before(async function () {
      this.timeout(120_000)
      service = await sharedService(this.test?.ctx)
    })

    it('takes what it sends, also while the secret rotates', async () => {
      const { token } = await service.workspace()
      const receiver = await startReceiver()
      await python.client({ url: `${service.url}/api/v1`, token })
      const webhook = await python.call('create_webhook', [], { url: receiver.url })
      const rotated = await python.call('update_webhook', [webhook.id], { rotate: true })
      await python.call('test_webhook', [webhook.id])
      const [got] = receiver.got
      for (const secret of [webhook.secret, rotated.secret]) {
        const given = { body: got?.text, headers: got?.headers, secret, now: undefined }
        equal((await verify(given)).type, 'webhook.test')
      }
      equal(receiver.got.length, 1)
    })
  })
})
