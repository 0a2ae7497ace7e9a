import { deepEqual, equal, match, throws } from 'node:assert/strict'
import { parseConfig } from '../../../process/config.ts'
import { startService, type TestService } from '../../support/service.ts'

const app = 'https://app.example'
const prefix = '/api/v1'

describe('calls from browsers', () => {
  let closed: TestService
  let named: TestService
  let open: TestService
  before(async function () {
    this.timeout(120_000)
    closed = await startService()
    named = await startService({ corsOrigins: [app] })
    open = await startService({ corsOrigins: ['*'] })
  })
  after(() => Promise.all([closed, named, open].map((service) => service.close())))

  const preflight = (service: TestService, path: string, origin: string) =>
    fetch(service.url + path, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'PATCH',
        'Access-Control-Request-Headers': 'authorization, idempotency-key',
      },
    })
  const allowed = ({ headers }: Response) => headers.get('access-control-allow-origin')

  it('are allowed to no origin by default', async () => {
    const asked = await preflight(closed, `${prefix}/people`, app)
    deepEqual([asked.status, allowed(asked), asked.headers.get('vary')], [405, null, null])
    const answer = await fetch(`${closed.url}${prefix}`, { headers: { Origin: app } })
    equal(allowed(answer), null)
  })

  it('are allowed to the origins that the operator names, before a token is asked for', async () => {
    for (const path of [prefix, `${prefix}/people`, `${prefix}/none.such`, '/openapi-3.0.json']) {
      const asked = await preflight(named, path, app)
      deepEqual([asked.status, allowed(asked), await asked.text()], [204, app, ''])
      match(asked.headers.get('access-control-allow-methods') ?? '', /\bPATCH\b/)
      match(asked.headers.get('access-control-allow-headers') ?? '', /\bIdempotency-Key\b/)
      match(asked.headers.get('vary') ?? '', /\bOrigin\b/i)
    }
  })

  it('may read answers and refusals, and the headers beside them', async () => {
    const { call } = await named.workspace()
    const done = await call('GET', '/people', undefined, { headers: { Origin: app } })
    deepEqual([done.status, done.headers.get('access-control-allow-origin')], [200, app])
    const refused = await fetch(`${named.url}${prefix}/people`, { headers: { Origin: app } })
    deepEqual([refused.status, allowed(refused)], [401, app])
    match(refused.headers.get('access-control-expose-headers') ?? '', /\bX-Request-Id\b/)
    equal(refused.headers.get('access-control-allow-credentials'), null)
  })

  it('are told nothing where their origin is not one of these, or the page is not for scripts', async () => {
    for (const origin of ['https://app.example.evil', 'http://app.example', 'null']) {
      const asked = await preflight(named, `${prefix}/people`, origin)
      deepEqual([asked.status, allowed(asked)], [405, null])
      match(asked.headers.get('vary') ?? '', /\bOrigin\b/i)
    }
    const page = await fetch(`${named.url}/docs`, { headers: { Origin: app } })
    equal(allowed(page), null)
  })

  it('are allowed to every origin with *', async () => {
    const asked = await preflight(open, `${prefix}/people`, 'https://any.example')
    deepEqual([asked.status, allowed(asked), asked.headers.get('vary')], [204, '*', null])
  })
})

describe('CORS_ORIGINS', () => {
  const read = (text: string) => parseConfig({ CORS_ORIGINS: text }).corsOrigins

  it('names origins with commas or blanks between them, as browsers send them', () => {
    deepEqual(read('https://App.example/, http://127.0.0.1:3000 https://x.example:443'), [
      'https://app.example',
      'http://127.0.0.1:3000',
      'https://x.example',
    ])
    deepEqual([read('*'), read(''), parseConfig({}).corsOrigins], [['*'], [], []])
  })

  for (const wrong of [
    'app.example',
    'https://app.example/path',
    'https://*.example',
    'ftp://x.example',
    'https://u@x.example',
  ])
    it(`is refused at the start as ${wrong}`, () => {
      throws(() => read(wrong), /CORS_ORIGINS: .*must be an origin/)
    })
})
