import { equal, rejects } from 'node:assert/strict'
import { Webhook } from 'standardwebhooks'
import { createClient, verifyWebhook } from '../../../clients/typescript/src/index.ts'
import { startReceiver } from '../../support/receiver.ts'
import { type SharedService, sharedService } from '../../support/service.ts'

const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const other = 'whsec_oLhaxJ5xQjBKCWHvHUDEJ4QFtFC6j4vC'
const now = Date.parse('2026-11-23T09:00:00Z')
const body = '{"type":"touch.sent","timestamp":"2026-11-23T09:00:00.000Z","data":{"id":"evt_1"}}'

/** The headers of a request, as the library of Standard Webhooks makes them. */
const headersOf = (secrets = [secret], at = new Date(now), text = body) => ({
  'Webhook-Id': 'evt_1',
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': secrets.map((one) => new Webhook(one).sign('evt_1', at, text)).join(' '),
})

describe('verifyWebhook', () => {
  const invalid = { code: 'invalid_signature' }

  it('answers the event, of a text and of bytes, with headers of any kind', async () => {
    const headers = headersOf()
    for (const one of [body, new TextEncoder().encode(body)])
      for (const kind of [headers, new Headers(headers)])
        equal((await verifyWebhook({ body: one, headers: kind, secret, now })).type, 'touch.sent')
  })

  it('takes either secret while they rotate, on both sides', async () => {
    for (const [signing, known] of [
      [[secret, other], other],
      [[secret, other], secret],
      [[secret], [other, secret]],
      [[other], [other, secret]],
    ] as const)
      await verifyWebhook({ body, headers: headersOf([...signing]), secret: known, now })
  })

  it('refuses another secret, another body and another id', async () => {
    const headers = headersOf()
    await rejects(verifyWebhook({ body, headers, secret: other, now }), invalid)
    await rejects(verifyWebhook({ body: `${body} `, headers, secret, now }), invalid)
    await rejects(
      verifyWebhook({ body, headers: { ...headers, 'Webhook-Id': 'evt_2' }, secret, now }),
      invalid,
    )
  })

  it('refuses what was signed too long ago or too far ahead', async () => {
    for (const seconds of [-301, 301]) {
      const headers = headersOf([secret], new Date(now + seconds * 1000))
      await rejects(verifyWebhook({ body, headers, secret, now }), invalid)
      await verifyWebhook({ body, headers, secret, now, toleranceSeconds: 600 })
    }
    const headers = { ...headersOf(), 'webhook-timestamp': 'soon' }
    await rejects(verifyWebhook({ body, headers, secret, now }), invalid)
  })

  it('refuses a request without a header, and signatures of other kinds', async () => {
    for (const name of ['Webhook-Id', 'webhook-timestamp', 'webhook-signature'])
      await rejects(
        verifyWebhook({ body, headers: { ...headersOf(), [name]: undefined }, secret, now }),
        invalid,
      )
    for (const signature of [
      '',
      'v1,',
      'v1,***',
      'v2,AAAA',
      headersOf()['webhook-signature'].slice(3),
    ])
      await rejects(
        verifyWebhook({
          body,
          headers: { ...headersOf(), 'webhook-signature': signature },
          secret,
          now,
        }),
        invalid,
      )
  })

  it('says so if the secret is none', async () => {
    for (const none of ['', 'whsec_'])
      await rejects(verifyWebhook({ body, headers: headersOf(), secret: none, now }), {
        code: 'invalid_options',
      })
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
      const client = createClient({ url: `${service.url}/api/v1`, token })
      const webhook = await client.createWebhook({ url: receiver.url })
      const rotated = await client.updateWebhook(webhook.id, { rotate: true })
      await client.testWebhook(webhook.id)
      const [got] = receiver.got
      for (const secret of [webhook.secret, rotated.secret]) {
        const event = await verifyWebhook({
          body: got?.text ?? '',
          headers: got?.headers ?? {},
          secret: secret ?? '',
        })
        equal(event.type, 'webhook.test')
      }
      equal(receiver.got.length, 1)
    })
  })
})
