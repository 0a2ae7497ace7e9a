import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Route } from '../../../api/route.ts'
import { callIn, changes, linesOf, replayed } from '../../support/changes.ts'
import { bodyOf, forEach, givenRoom, pathOf } from '../../support/samples.ts'
import { type SharedService, sharedService } from '../../support/service.ts'

// The rule for repeats, tested on every call of the table that changes something.

describe('every change', function () {
  // Each test goes through all changes.
  this.timeout(120_000)
  let service: SharedService
  before(async function () {
    this.timeout(120_000)
    service = await sharedService(this.test?.ctx)
  })

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
    const refusals = [
      await callIn(room, route, key, { body, token: await room.tokenWith([]) }),
      await callIn(room, route, key, { body, token: 'prm_none' }),
      await callIn(room, route, key, { body: '{' }),
      await callIn(room, route, key, { body: { ...body, unknown: 1 } }),
      await callIn(room, route, key, { body, query: '?colour=red' }),
    ]
    const operation = `/operations/${encodeURIComponent(key)}`
    const unknown = await room.call('GET', operation)
    const before = await linesOf(room)
    const reply = await callIn(room, route, key, { body })
    const known = await room.call('GET', operation)
    return { room, key, body, refusals, unknown, before, reply, known, after: await linesOf(room) }
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
        const again = await callIn(room, route, same)
        equal(again.status, 200)
        equal(again.text, reply.text)
        equal(again.headers.get('content-type'), reply.headers.get('content-type'))
        equal(replayed(again), 'true')
        notEqual(again.headers.get('x-request-id'), reply.headers.get('x-request-id'))
      }
      // An erasure takes the values of earlier lines away, after its answer.
      const idsOf = (lines: { id: string }[]) => lines.map(({ id }) => id)
      deepEqual(idsOf(await linesOf(room)), idsOf(after))
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
        await callIn(room, route, key, { body: { ...body, more: 1 } }),
        await callIn(room, route, key, { query: '?x=1' }),
        await room.call('PATCH', `/products/${room.product}`, { goal: 'sale' }, { key }),
      ]
      for (const { status, body } of others)
        equal(`${status} ${body.code}`, '422 idempotency_key_reused')
      equal((await callIn(room, route, key)).text, reply.text)
    }))

  it('stores the 404 of an unknown id under its key', () =>
    forEach(
      changes.filter(({ path }) => path.includes('{id}')),
      async (route) => {
        const { room } = await first(route)
        const key = randomUUID()
        const reply = await callIn(room, route, key, { id: 'x_unknown' })
        equal(reply.status, 404)
        const again = await callIn(room, route, key, { id: 'x_unknown' })
        equal(again.text, reply.text)
        equal(again.headers.get('content-type'), 'application/problem+json')
        equal(replayed(again), 'true')
        const { body } = await room.call('GET', `/operations/${key}`)
        equal(body.state, 'failed')
        equal(body.result.code, 'not_found')
      },
    ))
})
