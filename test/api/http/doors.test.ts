import { equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { answersEvents } from '../../../api/http/event-stream.ts'
import { prefixOf } from '../../../api/http/prefix.ts'
import type { Route } from '../../../api/route.ts'
import { adminRoutes } from '../../../api/routes/admin/index.ts'
import { routes } from '../../../api/routes/index.ts'
import { pathOf as apiPathOf, forEach, givenRoom, type Room } from '../../support/samples.ts'
import { allAdminScopes, allScopes, startService, type TestService } from '../../support/service.ts'

// Two kinds of tokens and two doors: each kind opens its own door alone, and a token of one workspace no other one.

describe('every route of both APIs, with every kind of token', function () {
  // Each test goes through all of them.
  this.timeout(120_000)
  let service: TestService
  let room: Room
  let theirs: Room
  before(async () => {
    service = await startService()
    room = await givenRoom(service)
    theirs = await givenRoom(service)
  })
  after(() => service.close())

  const pathOf = (route: Route, of: Room) =>
    route.door === 'admin'
      ? route.path
          .replace(/^\/workspaces\/\{id\}/, `/workspaces/${of.id}`)
          .replaceAll(/\{\w+\}/g, 'nothing')
      : apiPathOf(route, of)

  /** The status of a call without a body, of which a key and its type are no reason to refuse it. */
  async function ask(route: Route, token: string, of = room) {
    const method = answersEvents(route) ? 'HEAD' : route.method
    const response = await fetch(`${service.url}${prefixOf(route)}${pathOf(route, of)}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(method !== 'GET' && method !== 'HEAD' && { 'idempotency-key': randomUUID() }),
      },
    })
    const text = await response.text()
    return {
      status: response.status,
      code: /"code":"(\w+)"/.exec(response.status < 400 ? '' : text)?.[1],
    }
  }
  const refusedWith = async (route: Route, token: string, wanted: string, of?: Room) => {
    const { status, code } = await ask(route, token, of)
    equal(`${status} ${code}`, wanted)
  }

  it('prm_ opens no route of the administration, whatever its scopes', async () => {
    const token = await room.tokenWith(allScopes)
    await forEach(adminRoutes, (route) => refusedWith(route, token, '401 invalid_token'))
  })

  it('pra_ opens no route of the API, whatever its scopes', async () => {
    for (const workspace of [null, room.id]) {
      const { token } = await service.administration({ workspace })
      await forEach(
        routes.filter((route) => !answersEvents(route)),
        (route) => refusedWith(route, token, '401 invalid_token'),
      )
    }
  })

  it('a token under the prefix of the other kind opens neither', async () => {
    const member = await room.tokenWith(allScopes)
    const { token } = await service.administration()
    await forEach(
      [...routes, ...adminRoutes].filter((route) => !answersEvents(route)),
      async (route) => {
        await refusedWith(route, member.replace('prm_', 'pra_'), '401 invalid_token')
        await refusedWith(route, token.replace('pra_', 'prm_'), '401 invalid_token')
      },
    )
  })

  it('pra_ of all workspaces and of this one open every route of the administration', async () => {
    for (const workspace of [null, room.id]) {
      const { token } = await service.administration({ workspace })
      await forEach(adminRoutes, async (route) => {
        const { status } = await ask(route, token)
        equal([401, 403].includes(status) || status >= 500, false, String(status))
      })
    }
  })

  it('pra_ of one workspace does not see another', async () => {
    const { token } = await service.administration({ workspace: theirs.id })
    await forEach(
      adminRoutes.filter(({ path }) => path.startsWith('/workspaces/{id}')),
      (route) => refusedWith(route, token, '404 not_found', room),
    )
  })

  it('pra_ without a scope of the route is refused, before its workspace is looked at', async () => {
    for (const scope of allAdminScopes) {
      const scopes = allAdminScopes.filter((other) => other !== scope)
      const { token } = await service.administration({ scopes, workspace: theirs.id })
      await forEach(
        adminRoutes.filter(({ scopes }) => scopes.some((one) => one === scope)),
        (route) => refusedWith(route, token, '403 insufficient_scope', room),
      )
    }
  })
})
