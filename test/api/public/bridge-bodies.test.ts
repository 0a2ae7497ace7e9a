import { deepEqual, equal, ok } from 'node:assert/strict'
import { givenMessenger, tell } from '../../support/bridge.ts'
import { openRaw, type Raw } from '../../support/raw.ts'
import { reaches, startService, type TestService } from '../../support/service.ts'

// Anybody may name a connection and announce a body as its bridge. Senders who cannot sign do not keep out those who can.

const mebibyte = 1024 * 1024

describe('a body from a bridge', function () {
  this.timeout(60_000)
  let service: TestService
  let held: Raw[] = []
  before(async () => {
    service = await startService()
  })
  after(() => service.close())
  afterEach(async () => {
    for (const raw of held) raw.destroy()
    held = []
    await new Promise((resolve) => setTimeout(resolve, 200))
  })

  const account = async () => {
    const workspace = await service.workspace()
    return givenMessenger(service.db, workspace, { url: 'http://127.0.0.1:9/' })
  }
  const genuine = async (connection: string, length = 10) => {
    const data = { from: { address: '+49 171 1234567', name: 'Cleo' }, text: 'x' }
    // Unknown event types are ignored, so that only the length matters.
    const more = { more: 'x'.repeat(length) }
    const event = { type: 'message.received', data: { ...data, ...more } }
    return (await tell(service.url, connection, event)).status
  }
  /** A stranger announces a body with a signature that looks like one, and sends some of it. */
  function stranger(connection: string, announced: number, sent = 0, url = service.url) {
    const raw = openRaw(url, 'POST', `/bridge/${connection}`, {
      'Content-Length': announced,
      'webhook-id': 'x',
      'webhook-timestamp': Math.floor(Date.now() / 1000),
      'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
    })
    if (sent > 0) raw.write(Buffer.alloc(sent, 0x20))
    held.push(raw)
    return raw
  }
  /** Until what was announced has been taken note of, which nothing shows. */
  const settled = () => new Promise((resolve) => setTimeout(resolve, 300))

  it('is accepted while strangers announce large ones to its connection and to others', async () => {
    const [one, two, three] = [await account(), await account(), await account()]
    for (const connection of [one, two, 'con_unknown'])
      for (let i = 0; i < 3; i++) stranger(connection, 16 * mebibyte)
    await settled()
    for (const connection of [one, two, three])
      deepEqual([await genuine(connection), await genuine(connection, 900_000)], [204, 204])
    deepEqual(await Promise.all([one, two].map((it) => genuine(it, 6_000_000))), [204, 204])
    equal(held.filter((raw) => raw.status() !== undefined).length, 0)
  })

  it('is accepted while strangers hold hundreds of small ones open at its connection', async () => {
    const one = await account()
    for (let i = 0; i < 400; i++) stranger(one, 10, 1)
    await settled()
    deepEqual([await genuine(one), await genuine(one, 900_000)], [204, 204])
  })

  it('is accepted while strangers occupy all the room: the one that has waited longest gives way', async () => {
    const [one, two] = [await account(), await account()]
    const nearly = mebibyte - 1024
    for (let i = 0; i < 40; i++) stranger(i % 2 ? one : two, nearly + 1, nearly)
    await reaches(() => held.filter((raw) => raw.status() === '503').length, 5)
    ok(held.filter((raw) => raw.status() === undefined).length >= 20)
    deepEqual([await genuine(one), await genuine(two, 900_000)], [204, 204])
  })

  it('is accepted while strangers occupy the room for large ones, and so is a large one that arrives in full', async () => {
    const [one, two] = [await account(), await account()]
    for (let i = 0; i < 5; i++) stranger(one, 16 * mebibyte, 12 * mebibyte)
    await reaches(() => held.filter((raw) => raw.status() === '503').length, 1)
    deepEqual([await genuine(one), await genuine(two, 900_000)], [204, 204])
    equal(await genuine(two, 10_000_000), 204)
  })

  it('is given up early when it does not arrive, whether or not the connection has a bridge', async () => {
    const one = await account()
    const patience = { firstMebibyteMs: 500, nextMebibyteMs: 300 }
    const hasty = await startService({ databaseUrl: service.databaseUrl, patience })
    // Some send nothing, and some stop after three mebibytes.
    const all = [0, 3].flatMap((sent) =>
      [one, 'con_unknown'].map((connection) =>
        stranger(connection, 16 * mebibyte, sent * mebibyte, hasty.url),
      ),
    )
    const codes = (await Promise.all(all.map((raw) => raw.answered()))).map(({ code }) => code)
    deepEqual(codes, Array(4).fill('request_timeout'))
    await hasty.close()
  })
})
