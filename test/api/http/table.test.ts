import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { answersEvents } from '../../../api/http/event-stream.ts'
import { answersBytes, answersPage } from '../../../api/http/file-answer.ts'
import type { Route } from '../../../api/route.ts'
import { routes } from '../../../api/routes/index.ts'
import { createToken } from '../../../db/workspace/tokens.ts'
import { changes } from '../../support/changes.ts'
import { additions, addresses } from '../../support/interface.ts'
import { type RouteCalls, refused, startRouteCalls } from '../../support/route-calls.ts'
import {
  bodyOf,
  forEach,
  givenRoom,
  nameOf,
  neededOf,
  pathOf,
  scopesOf,
} from '../../support/samples.ts'
import { allScopes } from '../../support/service.ts'

// What every route shares, tested on every route of the table.

const beyondAll = 64 << 20

describe('every route', function () {
  // Each test goes through all of them.
  this.timeout(120_000)
  let { service, room, raw, call, announced } = {} as RouteCalls
  before(async () => {
    ;({ service, room, raw, call, announced } = await startRouteCalls())
  })
  after(() => service.close())

  const built = addresses.filter(({ method, path }) =>
    routes.some((route) => route.method === method && route.path === path),
  )
  it(`is an address of the interface (${built.length} of ${addresses.length}) or an addition`, () => {
    equal(addresses.length, 74)
    const others = routes.filter(
      (route) => !built.some((it) => nameOf(it as Route) === nameOf(route)),
    )
    deepEqual(others.map(nameOf).sort(), additions.map((it) => nameOf(it as Route)).sort())
    equal(new Set(routes.map(nameOf)).size, routes.length)
  })

  describe('authenticates the caller', () => {
    it('and answers a call without a token with the bare challenge', () =>
      forEach(routes, async (route) => {
        const answer = await call(route, { headers: { authorization: '' } })
        refused(answer, 401, 'token_missing')
        equal(answer.headers.get('www-authenticate'), 'Bearer')
      }))

    it('and a call that authenticates in another way as well', () =>
      forEach(routes, async (route) => {
        for (const authorization of ['Basic dTpw', 'Bearer', `Bearer${room.token}`, room.token]) {
          const answer = await call(route, { headers: { authorization } })
          refused(answer, 401, 'token_missing')
          equal(answer.headers.get('www-authenticate'), 'Bearer')
        }
      }))

    it('and refuses tokens that are malformed, expired or revoked', async () => {
      const whose = { workspace: room.id, member: room.member, client: 'old', scopes: allScopes }
      const expired = await createToken(service.db, whose)
      const revoked = await createToken(service.db, whose)
      const yesterday = new Date(Date.now() - 86_400_000)
      const set = (id: string, column: object) =>
        service.db.updateTable('tokens').set(column).where('id', '=', id).execute()
      await set(expired.id, { expiresAt: yesterday })
      await set(revoked.id, { revokedAt: yesterday })
      const cut = `${room.token.slice(0, -1)}${room.token.endsWith('x') ? 'y' : 'x'}`
      const tokens = [
        ...['nonsense', 'a b', cut, revoked.token].map((token) => [token, 'invalid_token']),
        [expired.token, 'token_expired'],
      ]
      await forEach(routes, async (route) => {
        for (const [token, code] of tokens) {
          const answer = await call(route, { headers: { authorization: `Bearer ${token}` } })
          refused(answer, 401, code as string)
          match(answer.headers.get('www-authenticate') ?? '', /^Bearer error="invalid_token"/)
        }
      })
    })

    it('and names every scope to a token that lacks one', async () => {
      const without = new Map<string, string>()
      for (const scope of allScopes)
        without.set(scope, await room.tokenWith(allScopes.filter((other) => other !== scope)))
      await forEach(routes, async (route) => {
        const scopes = scopesOf(route, bodyOf(route, room))
        for (const scope of scopes) {
          const authorization = `Bearer ${without.get(scope)}`
          const answer = await call(route, { headers: { authorization } })
          refused(answer, 403, 'insufficient_scope')
          deepEqual(answer.body.scopes, scopes)
          const challenge = answer.headers.get('www-authenticate')
          equal(challenge, `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`)
        }
      })
    })

    it('before it looks at key, body or id', async () => {
      const authorization = `Bearer ${await room.tokenWith([])}`
      const headers = { authorization, 'idempotency-key': '', 'content-type': 'text/plain' }
      await forEach(changes, async (route) =>
        refused(await announced(route, beyondAll, headers), 403, 'insufficient_scope'),
      )
    })
  })

  it('with an id of another workspace answers as for an unknown id', async () => {
    const theirs = await givenRoom(service)
    const withId = routes.filter(({ path }) => path.includes('{id}'))
    const kept = ({ requestId: _, instance: __, ...body }: Record<string, unknown>) => body
    await forEach(withId, async (route) => {
      const other = await call(route, { id: theirs.ids[route.path.split('/')[1] ?? ''] as string })
      const nobody = await call(route, { id: 'per_00000000000000000000000000' })
      refused(nobody, 404, 'not_found')
      refused(other, 404, 'not_found')
      deepEqual(kept(other.body), kept(nobody.body))
      for (const id of ['%', '\0', 'ext:\0', 'x'.repeat(300), '../x', '😀', "' or 1=1 --"])
        refused(await call(route, { id }), 404, 'not_found')
    })
  })

  it('accepts a trailing slash and no other method', () =>
    forEach(routes, async (route) => {
      const authorization = `Bearer ${room.token}`
      if (route.method === 'GET') {
        // A stream has no end to wait for: its head is enough.
        const method = answersEvents(route) ? 'HEAD' : 'GET'
        const answer = await raw(method, `${pathOf(route, room)}/${neededOf(route, '?')}`, {
          authorization,
        })
        equal(answer.status, 200)
        ok(answer.headers.get('x-request-id'))
        const type = answersBytes(route)
          ? /^text\/plain/
          : answersPage(route)
            ? /^text\/html/
            : answersEvents(route)
              ? /^text\/event-stream/
              : /^application\/json/
        match(answer.headers.get('content-type') ?? '', type)
        ok(route.response.safeParse(answer.body).success)
      }
      const path = pathOf(route, room)
      const here = routes.filter((other) => other.path === route.path)
      for (const method of ['PUT', 'OPTIONS', 'DELETE', 'POST']) {
        if (here.some((other) => other.method === method)) continue
        const answer = await raw(method, path)
        refused(answer, 405, 'method_not_allowed')
        const taken = here.flatMap((r) => (r.method === 'GET' ? ['GET', 'HEAD'] : [r.method]))
        deepEqual(answer.headers.get('allow')?.split(', ').sort(), taken.sort())
      }
      refused(await raw(route.method, `${path}/no/such`), 404, 'no_such_route')
    }))

  it('refuses a query parameter it does not know', () =>
    forEach(routes, async (route) => {
      const path = `${pathOf(route, room)}?colour=red${neededOf(route, '&')}`
      const headers = { authorization: `Bearer ${room.token}`, 'idempotency-key': randomUUID() }
      const body = bodyOf(route, room)
      const answer = await raw(
        route.method,
        path,
        { ...headers, ...(body && { 'content-type': 'application/json' }) },
        body && JSON.stringify(body),
      )
      refused(answer, 400, 'invalid_query')
      deepEqual(answer.body.errors[0].parameter, 'colour')
    }))
})
