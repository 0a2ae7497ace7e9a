import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { accessTokenOf } from '../../oauth/access-token.ts'
import { sealedFor, secretKey } from '../support/given.ts'
import { startService, type TestService } from '../support/service.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

describe('a token server of the customer', () => {
  let service: TestService
  let url = ''
  const asked: { text: string; headers: Record<string, string>; path: string }[] = []
  let answer: { status: number; body: unknown }
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const headers = request.headers as Record<string, string>
    asked.push({ text, headers, path: request.url ?? '' })
    response
      .writeHead(answer.status, { 'content-type': 'application/json' })
      .end(JSON.stringify(answer.body))
  })
  before(async () => {
    service = await startService()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`
  })
  after(async () => {
    server.closeAllConnections()
    server.close()
    await service.close()
  })

  async function given() {
    asked.length = 0
    const { connections } = await service.workspace()
    const [id] = connections
    const { db, clock } = service
    const { account } = await db
      .selectFrom('connections')
      .select('account')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const oauth = { tokenServer: { url } }
    const row = { id, account, oauth, secrets: sealedFor(id, { oauth: secret }) }
    return { id, account, token: () => accessTokenOf({ db, clock, secretKey }, row) }
  }
  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

  it('is asked with a signature once until its token ends', async () => {
    const { id, account, token } = await given()
    answer = { status: 200, body: { accessToken: 'one', expiresAt: inMs(3_600_000) } }
    equal(await token(), 'one')
    equal(await token(), 'one')
    equal(asked.length, 1)
    const [{ text, headers, path } = { text: '', headers: {}, path: '' }] = asked
    deepEqual([path, JSON.parse(text)], ['/token', { connection: id, account }])
    ok(new Webhook(secret).verify(text, headers))
  })

  it('is asked again when its token has ended', async () => {
    const { token } = await given()
    answer = { status: 200, body: { accessToken: 'one', expiresAt: inMs(-1_000) } }
    await token()
    answer = { status: 200, body: { accessToken: 'two', expiresAt: inMs(3_600_000) } }
    equal(await token(), 'two')
  })

  it('that refuses, fails or is not understood gives no token', async () => {
    const { token } = await given()
    const expiresAt = inMs(3_600_000)
    for (const [status, body, code, word] of [
      [403, {}, 'oauth_refused', 'status 403'],
      [302, {}, 'oauth_error', 'status 302'],
      [503, {}, 'oauth_unreachable', 'status 503'],
      [200, {}, 'oauth_error', 'accessToken'],
      [200, { accessToken: 'a\r\nb', expiresAt }, 'oauth_error', 'accessToken'],
      [200, { accessToken: 'a', expiresAt: 1_763_888_400 }, 'oauth_error', 'expiresAt'],
      [200, { accessToken: 'a', expiresAt: 'soon' }, 'oauth_error', 'expiresAt'],
    ] as const) {
      answer = { status, body }
      await rejects(token(), { code, word })
    }
  })
})
