import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Route } from '../../../api/route.ts'
import { routes } from '../../../api/routes/index.ts'
import {
  bodyOf,
  forEach as forEachOf,
  givenRoom,
  needsKey,
  pathOf,
  type Room,
} from '../../support/samples.ts'
import { startService, type TestService } from '../../support/service.ts'

// The rule for repeats, tested on every call of the table that changes something.

const changes = routes.filter(({ method }) => method !== 'GET')

describe('every change', function () {
  // Each test goes through all changes.
  this.timeout(120_000)
  let service: TestService
  let room: Room

  before(async function () {
    this.timeout(120_000)
    service = await startService()
    await service.work(this.test?.ctx as Mocha.Context)
  })
  after(() => service.close())

  const call = (
    route: Route,
    key: string,
    but: { body?: unknown; id?: string; query?: string } = {},
  ) => {
    const path = pathOf(route, room, but.id) + (but.query ?? '')
    return room.call(route.method, path, but.body ?? bodyOf(route, room), { key })
  }
  /** Each route finds a workspace of its own: one deletes what another needs. */
  const forEach = (some: Route[], check: (route: Route) => Promise<void>) =>
    forEachOf(some, async (route) => {
      room = await givenRoom(service)
      await check(route)
    })
  const lines = async () => (await room.call('GET', '/audit?limit=200')).body.entries
  const replayed = (reply: { headers: Headers }) => reply.headers.get('idempotent-replayed')

  it('answers a repeat byte for byte, and is not carried out again', () =>
    forEach(changes, async (route) => {
      const key = randomUUID().padEnd(255, '~')
      const before = await lines()
      const first = await call(route, key)
      equal(first.status, 200, first.text)
      equal(replayed(first), null)
      ok(route.response.safeParse(first.body).success)
      const after = await lines()
      ok(after.length - before.length <= 1, 'it wrote more than one line')

      for (const same of [key, `"${key}"`]) {
        const again = await call(route, same)
        equal(again.status, 200)
        equal(again.text, first.text)
        equal(again.headers.get('content-type'), first.headers.get('content-type'))
        equal(replayed(again), 'true')
        notEqual(again.headers.get('x-request-id'), first.headers.get('x-request-id'))
      }
      deepEqual(await lines(), after)
      const operation = await room.call('GET', `/operations/${encodeURIComponent(key)}`)
      equal(operation.status, 200)
    }))

  it('treats members in another order and a trailing slash as the same request', () =>
    forEach(changes, async (route) => {
      const key = randomUUID()
      const body = bodyOf(route, room)
      const first = await call(route, key)
      const turned = body && Object.fromEntries(Object.entries(body).reverse())
      const path = `${pathOf(route, room)}/`
      const again = await room.call(route.method, path, JSON.stringify(turned, null, 2), { key })
      equal(again.text, first.text)
      equal(replayed(again), 'true')
    }))

  it('refuses a key that was used for another request', () =>
    forEach(changes, async (route) => {
      const key = randomUUID()
      const first = await call(route, key)
      equal(first.status, 200, first.text)
      const others = [
        await call(route, key, { body: { ...bodyOf(route, room), more: 1 } }),
        await call(route, key, { query: '?x=1' }),
        await room.call('PATCH', `/products/${room.product}`, { goal: 'sale' }, { key }),
      ]
      for (const { status, body } of others)
        equal(`${status} ${body.code}`, '422 idempotency_key_reused')
      equal((await call(route, key)).text, first.text)
    }))

  it('stores the 404 of an unknown id under its key', () =>
    forEach(
      changes.filter(({ path }) => path.includes('{id}')),
      async (route) => {
        const key = randomUUID()
        const first = await call(route, key, { id: 'x_unknown' })
        equal(first.status, 404)
        const again = await call(route, key, { id: 'x_unknown' })
        equal(again.text, first.text)
        equal(again.headers.get('content-type'), 'application/problem+json')
        equal(replayed(again), 'true')
        const { body } = await room.call('GET', `/operations/${key}`)
        equal(body.state, 'failed')
        equal(body.result.code, 'not_found')
      },
    ))

  it('stores nothing of a call that was refused before it was carried out', () =>
    forEach(changes, async (route) => {
      const key = randomUUID()
      const none = await room.tokenWith([])
      const path = pathOf(route, room)
      const refusals = [
        await room.call(route.method, path, bodyOf(route, room), { key, token: none }),
        await room.call(route.method, path, bodyOf(route, room), { key, token: 'prm_none' }),
        await room.call(route.method, path, '{', { key }),
        await call(route, key, { body: { ...bodyOf(route, room), unknown: 1 } }),
        await call(route, key, { query: '?colour=red' }),
      ]
      deepEqual(
        refusals.map(({ status }) => status),
        [403, 401, 400, 422, 400],
      )
      for (const reply of refusals) equal(replayed(reply), null)
      equal((await room.call('GET', `/operations/${key}`)).status, 404)
      const done = await call(route, key)
      equal(done.status, 200, done.text)
      equal(replayed(done), null)
    }))

  it('is carried out once for many simultaneous identical calls', () =>
    forEach(changes, async (route) => {
      const key = randomUUID()
      const before = (await lines()).length
      const replies = await Promise.all(Array.from({ length: 12 }, () => call(route, key)))
      deepEqual([...new Set(replies.map(({ status }) => status))], [200])
      equal(new Set(replies.map(({ text }) => text)).size, 1)
      equal(replies.filter((reply) => replayed(reply) === null).length, 1)
      ok((await lines()).length - before <= 1)
    }))

  it('runs beside others like it without a failure', () =>
    forEach(changes, async (route) => {
      const replies = await Promise.all(Array.from({ length: 12 }, () => call(route, randomUUID())))
      ok(replies.some(({ status }) => status === 200))
      for (const { status, text } of replies) ok(status < 500, text)
    }))

  it('keeps the keys of workspaces apart', async () => {
    await forEach(
      changes.filter((route) => needsKey(route, bodyOf(route, room))),
      async (route) => {
        const theirs = await givenRoom(service)
        const key = randomUUID()
        await call(route, key)
        const reply = await theirs.call(
          route.method,
          pathOf(route, theirs),
          bodyOf(route, theirs),
          { key },
        )
        equal(reply.status, 200, reply.text)
        equal(replayed(reply), null)
      },
    )
  })
})
