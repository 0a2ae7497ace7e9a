import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Route } from '../../../api/route.ts'
import { routes } from '../../../api/routes/index.ts'
import { bodyOf, forEach, givenRoom, pathOf, type Room } from '../../support/samples.ts'
import { type SharedService, sharedService } from '../../support/service.ts'

// The rule for repeats, tested on every call of the table that changes something.

const changes = routes.filter(({ method }) => method !== 'GET')

describe('every change', function () {
  // Each test goes through all changes.
  this.timeout(120_000)
  let service: SharedService
  before(async function () {
    this.timeout(120_000)
    service = await sharedService(this.test?.ctx)
  })

  /** A call of the route in a room, which has to be one of the route's own: one call deletes what another needs. */
  const call = (
    route: Route,
    key: string,
    but: { room: Room; body?: unknown; id?: string; query?: string; token?: string },
  ) => {
    const { room, query = '', token } = but
    const path = pathOf(route, room, but.id) + query
    return room.call(route.method, path, but.body ?? bodyOf(route, room), { key, token })
  }
  /** What was changed in a room by calls: a parse of its archive adds a line at its end. */
  const lines = async (room: Room) =>
    (await room.call('GET', '/audit?limit=200')).body.entries.filter(
      ({ action }: { action: string }) => action !== 'archive.parsed',
    )
  const replayed = (reply: { headers: Headers }) => reply.headers.get('idempotent-replayed')

  const firsts = new Map<Route, ReturnType<typeof firstCall>>()
  /** Calls that were refused, and then the first one that was carried out, all under one key. */
  function first(route: Route) {
    const made = firsts.get(route) ?? firstCall(route)
    firsts.set(route, made)
    return made
  }
  async function firstCall(route: Route) {
    const room = await givenRoom(service)
    const key = randomUUID().padEnd(255, '~')
    const body = bodyOf(route, room)
    const but = { room, body }
    const refusals = [
      await call(route, key, { ...but, token: await room.tokenWith([]) }),
      await call(route, key, { ...but, token: 'prm_none' }),
      await call(route, key, { ...but, body: '{' }),
      await call(route, key, { ...but, body: { ...body, unknown: 1 } }),
      await call(route, key, { ...but, query: '?colour=red' }),
    ]
    const operation = `/operations/${encodeURIComponent(key)}`
    const unknown = await room.call('GET', operation)
    const before = await lines(room)
    const reply = await call(route, key, but)
    const known = await room.call('GET', operation)
    return { room, key, body, refusals, unknown, before, reply, known, after: await lines(room) }
  }

  it('stores nothing of a call that was refused before it was carried out', () =>
    forEach(changes, async (route) => {
      const { refusals, unknown, reply } = await first(route)
      deepEqual(
        refusals.map(({ status }) => status),
        [403, 401, 400, 422, 400],
      )
      for (const refusal of refusals) equal(replayed(refusal), null)
      equal(unknown.status, 404)
      equal(reply.status, 200, reply.text)
      equal(replayed(reply), null)
    }))

  it('answers a repeat byte for byte, and is not carried out again', () =>
    forEach(changes, async (route) => {
      const { room, key, before, reply, known, after } = await first(route)
      ok(route.response.safeParse(reply.body).success)
      equal(known.status, 200)
      ok(after.length - before.length <= 1, 'it wrote more than one line')
      for (const same of [key, `"${key}"`]) {
        const again = await call(route, same, { room })
        equal(again.status, 200)
        equal(again.text, reply.text)
        equal(again.headers.get('content-type'), reply.headers.get('content-type'))
        equal(replayed(again), 'true')
        notEqual(again.headers.get('x-request-id'), reply.headers.get('x-request-id'))
      }
      deepEqual(await lines(room), after)
    }))

  it('treats members in another order and a trailing slash as the same request', () =>
    forEach(changes, async (route) => {
      const { room, key, body, reply } = await first(route)
      const turned = body && Object.fromEntries(Object.entries(body).reverse())
      const path = `${pathOf(route, room)}/`
      const again = await room.call(route.method, path, JSON.stringify(turned, null, 2), { key })
      equal(again.text, reply.text)
      equal(replayed(again), 'true')
    }))

  it('refuses a key that was used for another request', () =>
    forEach(changes, async (route) => {
      const { room, key, body, reply } = await first(route)
      const others = [
        await call(route, key, { room, body: { ...body, more: 1 } }),
        await call(route, key, { room, query: '?x=1' }),
        await room.call('PATCH', `/products/${room.product}`, { goal: 'sale' }, { key }),
      ]
      for (const { status, body } of others)
        equal(`${status} ${body.code}`, '422 idempotency_key_reused')
      equal((await call(route, key, { room })).text, reply.text)
    }))

  it('stores the 404 of an unknown id under its key', () =>
    forEach(
      changes.filter(({ path }) => path.includes('{id}')),
      async (route) => {
        const { room } = await first(route)
        const key = randomUUID()
        const reply = await call(route, key, { room, id: 'x_unknown' })
        equal(reply.status, 404)
        const again = await call(route, key, { room, id: 'x_unknown' })
        equal(again.text, reply.text)
        equal(again.headers.get('content-type'), 'application/problem+json')
        equal(replayed(again), 'true')
        const { body } = await room.call('GET', `/operations/${key}`)
        equal(body.state, 'failed')
        equal(body.result.code, 'not_found')
      },
    ))

  it('is carried out once for many simultaneous identical calls, whatever another workspace has done under their key', () =>
    forEach(changes, async (route) => {
      const { key } = await first(route)
      const room = await givenRoom(service)
      const before = (await lines(room)).length
      const replies = await Promise.all(
        Array.from({ length: 12 }, () => call(route, key, { room })),
      )
      deepEqual([...new Set(replies.map(({ status }) => status))], [200])
      equal(new Set(replies.map(({ text }) => text)).size, 1)
      equal(replies.filter((reply) => replayed(reply) === null).length, 1)
      ok((await lines(room)).length - before <= 1)
    }))

  it('runs beside others like it without a failure', () =>
    forEach(changes, async (route) => {
      const room = await givenRoom(service)
      const replies = await Promise.all(
        Array.from({ length: 12 }, () => call(route, randomUUID(), { room })),
      )
      ok(replies.some(({ status }) => status === 200))
      for (const { status, text } of replies) ok(status < 500, text)
    }))
})
