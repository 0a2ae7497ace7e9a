import { deepEqual, equal, match } from 'node:assert/strict'
import { routes } from '../../../api/routes/index.ts'
import { additions, addresses } from '../../support/interface.ts'
import { bodyOf, forEach, givenRoom, nameOf, pathOf, type Room } from '../../support/samples.ts'
import { startService, type TestService } from '../../support/service.ts'

const reduced = [...addresses, ...additions].filter((address) => address.reduced)
const inTable = (address: { method: string; path: string }) =>
  routes.some(({ method, path }) => method === address.method && path === address.path)
const built = addresses.filter((address) => address.reduced && inTable(address))

describe('the reduced deployment', () => {
  let service: TestService
  let room: Room

  before(async () => {
    service = await startService({ variant: 'reduced' })
    room = await givenRoom(service)
  })
  after(() => service.close())

  it(`has its addresses (${built.length} of 37) and operations, and no others`, async () => {
    equal(addresses.filter((address) => address.reduced).length, 37)
    const here = routes.filter((route) => route.reduced).map(nameOf)
    deepEqual(
      here.sort(),
      reduced
        .filter(inTable)
        .map((address) => nameOf(address as never))
        .sort(),
    )
    await forEach(
      routes.filter((route) => route.reduced),
      async (route) => {
        const reply = await room.call(route.method, pathOf(route, room), bodyOf(route, room))
        equal(reply.status, 200, reply.text)
      },
      // One deletes what another reads.
      { atOnce: 1 },
    )
  })

  it('knows no other calls, also where the path has another method', async () => {
    const lacking = [...addresses, ...additions].filter((address) => !address.reduced)
    equal(addresses.filter((address) => !address.reduced).length, 37)
    for (const { method, path } of lacking) {
      const place = path.replace(/\{id\}/g, room.person).replace(/\{\w+\}/g, 'x')
      const { status, body } = await room.call(method, place, method === 'GET' ? undefined : {})
      equal(`${method} ${path} ${status} ${body.code}`, `${method} ${path} 404 no_such_route`)
    }
  })

  it('answers 405 with only its own methods', async () => {
    const put = await room.call('PUT', '/people', {})
    equal(put.status, 405)
    equal(put.headers.get('allow'), 'GET, HEAD')
  })
})

describe('the limits of a minute', () => {
  let service: TestService
  before(async () => {
    service = await startService({ rates: 3 })
  })
  after(() => service.close())

  // A window ends with the minute; calls that fall into two windows are repeated.
  async function inOneMinute(run: () => Promise<void>) {
    if (new Date().getSeconds() > 55) await new Promise((resolve) => setTimeout(resolve, 6000))
    await run()
  }

  for (const [kind, method, path, body] of [
    ['reads', 'GET', '/members', undefined],
    ['changes', 'PATCH', '/workspace', {}],
    ['sends', 'POST', '/conversations/x/messages', { text: 'x' }],
  ] as const)
    it(`refuse further ${kind} and say when to try again`, function () {
      this.timeout(20_000)
      return inOneMinute(async () => {
        const { call, tokenWith } = await service.workspace()
        for (const left of [2, 1, 0]) {
          const { headers } = await call(method, path, body)
          equal(headers.get('ratelimit-policy'), `"${kind}";q=3;w=60`)
          match(headers.get('ratelimit') ?? '', new RegExp(`^"${kind}";r=${left};t=\\d+$`))
        }
        const reply = await call(method, path, body, { key: 'late' })
        equal(`${reply.status} ${reply.body.code}`, '429 rate_limited')
        equal(reply.body.retryable, true)
        match(reply.headers.get('retry-after') ?? '', /^([1-9]|[1-5]\d|60)$/)
        match(reply.headers.get('ratelimit') ?? '', /;r=0;/)
        // Each token has its own limit, and a refused call is not stored.
        const other = await tokenWith(['inbox:read', 'inbox:write', 'send'])
        const retried = await call(method, path, body, { key: 'late', token: other })
        equal(retried.headers.get('idempotent-replayed'), null)
        equal(retried.status === 200 || retried.status === 404, true)
      })
    })

  it('count repeats and refusals like any other call', function () {
    this.timeout(20_000)
    return inOneMinute(async () => {
      const { call, tokenWith } = await service.workspace()
      for (const left of [2, 1, 0]) {
        const { status, headers } = await call('PATCH', '/workspace', {}, { key: 'same' })
        equal(status, 200)
        match(headers.get('ratelimit') ?? '', new RegExp(`^"changes";r=${left};t=\\d+$`))
      }
      equal((await call('PATCH', '/workspace', {}, { key: 'same' })).status, 429)

      const refusals: [number, unknown, object][] = [
        [403, {}, {}],
        [400, '{', {}],
        [400, {}, { key: '' }],
        [400, {}, { key: 'ü' }],
        [422, { more: 1 }, {}],
        [415, '{}', { headers: { 'content-type': 'text/plain' } }],
      ]
      for (const [status, body, options] of refusals) {
        const token = await tokenWith(status === 403 ? ['inbox:read'] : ['inbox:write'])
        for (const wanted of [status, status, status, 429]) {
          const reply = await call('PATCH', '/workspace', body, { ...options, token })
          equal(`${status} ${reply.status}`, `${status} ${wanted}`)
        }
      }
    })
  })

  it('count a call as a send when its body makes it one', function () {
    this.timeout(20_000)
    return inOneMinute(async () => {
      const { call } = await service.workspace()
      const move = (to: string) => call('POST', '/campaigns/x/state', { to })
      for (const left of [2, 1, 0])
        match((await move('running')).headers.get('ratelimit') ?? '', RegExp(`^"sends";r=${left};`))
      const { status, headers } = await call('POST', '/conversations/x/messages', { text: 'x' })
      equal(status, 429)
      match(headers.get('ratelimit') ?? '', /^"sends"/)
    })
  })
})
