import { deepEqual, equal, match } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { givenRoom } from '../../support/samples.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('a body', () => {
  let service: TestService
  before(async () => {
    service = await startService({ patience: { dispatchMs: 0 } })
  })
  after(() => service.close())

  async function post(path: string, body: string | Buffer, headers: Record<string, string> = {}) {
    const { token } = await service.workspace()
    const reply = await fetch(`${service.url}/api/v1${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'idempotency-key': randomUUID(),
        'content-type': 'application/json',
        ...headers,
      },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    })
    const answer = (await reply.json()) as { code?: string; detail?: string }
    return { status: reply.status, code: answer.code, detail: answer.detail ?? '' }
  }

  const twice: Record<string, string> = {
    '{"name":"A","name":"B"}': 'name',
    '{"name":"A","na\\u006de":"A"}': 'name',
    '{"name":"A","email":"a@b.example","tags":[{"x":[],"y":{}},{"x":{"z":1,"z":2}}]}': 'z',
    '{"":1,"":2}': '',
    '{"a":{"b":1},"a":{}}': 'a',
  }
  for (const [body, name] of Object.entries(twice))
    it(`is refused when it names a member twice: ${body}`, async () => {
      const { status, code, detail } = await post('/people', body)
      deepEqual([status, code], [400, 'malformed_json'])
      match(detail, new RegExp(`“${name}” twice`))
    })

  it('may use the same name in different objects, and within strings', async () => {
    const body = '{"name":"{\\"name\\":1,\\"name\\":2}","company":"name","email":"a@b.example"}'
    equal((await post('/people', body)).status, 200)
    const rules = '{"query":"q","rules":[{"text":"a","kind":"only"},{"text":"b","kind":"only"}]}'
    match(String((await post('/segments', rules)).status), /^(?:200|504)$/)
  })

  it('is refused when it is compressed', async () => {
    const body = gzipSync('{"name":"A"}')
    const zipped = await post('/people', body, { 'content-encoding': 'gzip' })
    deepEqual([zipped.status, zipped.code], [415, 'unsupported_media_type'])
    match(zipped.detail, /encoding/)
    const plain = await post('/people', '{"name":"A","email":"a@b.example"}', {
      'content-encoding': 'identity',
    })
    equal(plain.status, 200)
  })

  it('is refused with an error that says what would be right', async () => {
    const { call, ids } = await givenRoom(service)
    const said = async (method: string, path: string, body: object) => {
      const { status, body: answer } = await call(method, path, body)
      equal(status, 422)
      return `${answer.errors[0].pointer} ${answer.errors[0].message}`
    }
    const letters = `/campaigns/${ids.campaigns}/letters`
    equal(
      await said('POST', letters, { write: ['1'] }),
      '/write/0 must be the place of a letter: 1, 2 or 3',
    )
    const hours = { hours: { daysOff: [null] } }
    equal(
      await said('PATCH', `/agents/${ids.agents}`, hours),
      '/hours/daysOff/0 must be one of mon, tue, wed, thu, fri, sat, sun or a date as YYYY-MM-DD',
    )
    const message = `/conversations/${ids.conversations}/messages`
    for (const sendAt of ['2027-01-04T09:00:00', 'tomorrow', '2027-01-04'])
      match(
        await said('POST', message, { text: 'x', sendAt }),
        /^\/sendAt .* with an offset, such as 2026-/,
      )
  })

  it('may use the lower-case letters of RFC 3339', async () => {
    const { call, ids } = await givenRoom(service)
    const message = `/conversations/${ids.conversations}/messages`
    const { status, body } = await call('POST', message, {
      text: 'x',
      sendAt: '2027-01-04t09:00:00z',
    })
    deepEqual([status, body.at ?? body.sendAt], [200, body.at ?? body.sendAt])
    const read = (await call('GET', message)).body.messages
    equal(read.find(({ id }: { id: string }) => id === body.id).at, '2027-01-04T09:00:00.000Z')
  })
})
