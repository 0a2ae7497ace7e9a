import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { codingOf } from '../../../api/http/compressed.ts'
import { givenPeople } from '../../support/given.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('compressed answers', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  type Given = { method?: string; headers?: Record<string, string>; body?: string | Buffer }
  const ask = (path: string, { method = 'GET', headers = {}, body }: Given = {}) =>
    new Promise<{ status: number; headers: Record<string, string>; bytes: Buffer }>(
      (resolve, reject) => {
        const call = request(`${service.url}${path}`, { method, headers }, (response) => {
          const pieces: Buffer[] = []
          response.on('data', (piece) => pieces.push(piece))
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers as Record<string, string>,
              bytes: Buffer.concat(pieces),
            }),
          )
        })
        call.on('error', reject)
        call.end(body)
      },
    )

  async function given() {
    const workspace = await service.workspace()
    const people = await givenPeople(
      service.db,
      workspace.id,
      Array.from({ length: 30 }, (_, i) => ({
        name: `Kim ${i}`,
        email: `kim-${i}@client.example`,
      })),
      service.clock.now(),
    )
    const bearer = { authorization: `Bearer ${workspace.token}` }
    const get = (path: string, encoding?: string, headers = {}) =>
      ask(`/api/v1${path}`, {
        headers: { ...bearer, ...(encoding && { 'accept-encoding': encoding }), ...headers },
      })
    return { ...workspace, people, bearer, get }
  }
  const plain = ({ headers, bytes }: { headers: Record<string, string>; bytes: Buffer }) =>
    (headers['content-encoding'] === 'gzip'
      ? gunzipSync(bytes)
      : headers['content-encoding'] === 'zstd'
        ? zstdDecompressSync(bytes)
        : bytes
    ).toString()

  it('are as their clients want them', () => {
    for (const [header, coding] of [
      ['', undefined],
      ['gzip', 'gzip'],
      ['gzip, deflate, br, zstd', 'zstd'],
      ['gzip;q=1.0, zstd;q=0.5', 'gzip'],
      ['br', undefined],
      ['*', 'gzip'],
      ['gzip;q=0', undefined],
      ['gzip;q=0, *', undefined],
      ['GZIP', 'gzip'],
      ['identity, gzip;q=0.5', undefined],
      ['gzip;q=x', undefined],
    ] as const)
      equal(codingOf(header), coding, header)
  })

  it('hold the same, in fewer bytes', async () => {
    const { get } = await given()
    const whole = await get('/people')
    equal(whole.headers['content-encoding'], undefined)
    match(whole.headers['vary'] ?? '', /Accept-Encoding/)
    for (const coding of ['gzip', 'zstd']) {
      const short = await get('/people', coding)
      equal(short.headers['content-encoding'], coding)
      match(short.headers['vary'] ?? '', /Accept-Encoding/)
      equal(Number(short.headers['content-length']), short.bytes.length)
      ok(short.bytes.length < whole.bytes.length / 3)
      equal(plain(short), whole.bytes.toString())
      match(short.headers['content-type'] ?? '', /^application\/json/)
    }
  })

  it('are whole where they are short, and where a request asks for the head alone', async () => {
    const { get, bearer } = await given()
    equal((await get('', 'gzip')).headers['content-encoding'], undefined)
    const headers = { ...bearer, 'accept-encoding': 'gzip' }
    const head = await ask('/api/v1/people', { method: 'HEAD', headers })
    deepEqual([head.status, head.bytes.length], [200, 0])
  })

  it('have a tag of their own, under which they are known and changed', async () => {
    const { get, call, people } = await given()
    const path = `/people/${people[0]}`
    await call('PATCH', path, { fields: { note: 'long '.repeat(190) } })
    const whole = await get(path)
    const short = await get(path, 'gzip')
    equal(short.headers['content-encoding'], 'gzip')
    const tag = short.headers['etag'] ?? ''
    equal(tag, whole.headers['etag']?.replace(/"$/, '-gzip"'))
    const known = await get(path, 'gzip', { 'if-none-match': tag })
    deepEqual([known.status, known.headers['etag'], known.bytes.length], [304, tag, 0])
    const options = { headers: { 'if-match': tag } }
    equal((await call('PATCH', path, { city: 'Bern' }, options)).status, 200)
    equal((await call('PATCH', path, { city: 'Ulm' }, options)).status, 412)
  })

  it('are written as they are made where they are streams', async () => {
    const { get, people } = await given()
    const path = `/people/${people[0]}/export`
    const [whole, short] = [await get(path), await get(path, 'zstd')]
    equal(short.headers['content-encoding'], 'zstd')
    deepEqual(Object.keys(JSON.parse(plain(short))), Object.keys(JSON.parse(plain(whole))))
  })

  it('are never those that hold a secret', async () => {
    const { bearer } = await given()
    const answer = await ask('/api/v1/webhooks', {
      method: 'POST',
      headers: {
        ...bearer,
        'accept-encoding': 'gzip, zstd',
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ url: `https://client.example/${'a'.repeat(1500)}` }),
    })
    equal(answer.status, 200)
    ok(answer.bytes.length > 1024 && JSON.parse(answer.bytes.toString()).secret)
    equal(answer.headers['content-encoding'], undefined)
    equal(answer.headers['vary'], undefined)
  })

  it('are not what a request may be', async () => {
    const { bearer } = await given()
    for (const encoding of ['gzip', 'zstd', 'br', 'gzip, identity']) {
      const { status, bytes } = await ask('/api/v1/workspace', {
        method: 'PATCH',
        headers: {
          ...bearer,
          'content-type': 'application/json',
          'content-encoding': encoding,
          'idempotency-key': randomUUID(),
        },
        body: '{}',
      })
      equal(`${status} ${JSON.parse(bytes.toString()).code}`, '415 unsupported_media_type')
    }
  })

  it('are the pages without a token too', async () => {
    for (const path of ['/openapi.json', '/docs', '/docs-try.js', '/metrics']) {
      const whole = await ask(path)
      const short = await ask(path, { headers: { 'accept-encoding': 'zstd' } })
      equal(short.headers['content-encoding'], 'zstd', path)
      ok(short.bytes.length < whole.bytes.length / 2, path)
      if (path !== '/metrics') equal(plain(short), whole.bytes.toString())
    }
  })
})
