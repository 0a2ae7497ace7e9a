import { equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { answersEvents } from '../../../api/http/event-stream.ts'
import { prefixOf } from '../../../api/http/prefix.ts'
import type { Route } from '../../../api/route.ts'
import { adminRoutes } from '../../../api/routes/admin/index.ts'
import { routes } from '../../../api/routes/index.ts'
import { createAdminToken } from '../../../db/workspace/admin-tokens.ts'
import { createToken } from '../../../db/workspace/tokens.ts'
import type { AnyScope } from '../../../rules/scopes.ts'
import {
  pathOf as apiPathOf,
  bodyOf,
  forEach,
  givenRoom,
  type Room,
  scopesOf,
} from '../../support/samples.ts'
import { allAdminScopes, allScopes, startService, type TestService } from '../../support/service.ts'

// Two kinds of tokens and two doors: each kind opens its own door alone, and a token of one workspace no other one.

describe('every route of both APIs, with every kind of token', function () {
  // Each test goes through all of them.
  this.timeout(240_000)
  let service: TestService
  let room: Room
  let theirs: Room
  before(async () => {
    // What a workflow answers is not waited for: there is no worker.
    service = await startService({ patience: { answerMs: 100 } })
    room = await givenRoom(service)
    theirs = await givenRoom(service)
  })
  after(() => service.close())

  /** The path of a route on the things of a room; of `nobody`, on things that are not there. */
  const pathOf = (route: Route, of: Room | 'nobody') =>
    route.door === 'admin' || of === 'nobody'
      ? route.path
          .replace(/^\/workspaces\/\{id\}/, `/workspaces/${of === 'nobody' ? 'wsp_nobody' : of.id}`)
          .replaceAll(/\{\w+\}/g, 'nothing')
      : apiPathOf(route, of)

  /** The status of a call without a body, of which a key and its type are no reason to refuse it. */
  async function ask(
    route: Route,
    token: string | null,
    of: Room | 'nobody' = room,
    body?: object | undefined,
    tries = 5,
  ): Promise<{ status: number; code: string | undefined }> {
    const method = answersEvents(route) ? 'HEAD' : route.method
    const response = await fetch(`${service.url}${prefixOf(route)}${pathOf(route, of)}`, {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(method !== 'GET' && method !== 'HEAD' && { 'idempotency-key': randomUUID() }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    // As clients do: it is not refused, but asked to come again.
    if (response.status === 503 && tries > 1) return ask(route, token, of, body, tries - 1)
    return {
      status: response.status,
      code: /"code":"(\w+)"/.exec(response.status < 400 ? '' : text)?.[1],
    }
  }
  const refusedWith = async (route: Route, token: string | null, wanted: string, of?: Room) => {
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

  // An answer to HEAD, as which the stream of events is asked for here, has no code.
  const codeOf = (route: Route, code: string) => (answersEvents(route) ? undefined : code)

  it('the administration lets in nobody without a token, nor one that is cut, revoked or expired', async () => {
    const yesterday = new Date(Date.now() - 86_400_000)
    const workspace = room.id
    const member = () => {
      const token = { workspace, member: room.member, client: 'old', scopes: allScopes }
      return createToken(service.db, token)
    }
    const application = async () => {
      const token = { workspace, client: 'old', scopes: allAdminScopes }
      const made = await createAdminToken(service.db, token)
      return { id: made.row.id, token: made.token }
    }
    const [revoked, expired] = [await member(), await member()]
    const [revokedAdmin, expiredAdmin] = [await application(), await application()]
    for (const [table, { id }, column] of [
      ['tokens', revoked, { revokedAt: yesterday }],
      ['tokens', expired, { expiresAt: yesterday }],
      ['adminTokens', revokedAdmin, { revokedAt: yesterday }],
      ['adminTokens', expiredAdmin, { expiresAt: yesterday }],
    ] as const)
      await service.db.updateTable(table).set(column).where('id', '=', id).execute()
    const cut = (token: string) => `${token.slice(0, -1)}${token.endsWith('x') ? 'y' : 'x'}`
    const live = await room.tokenWith(allScopes)
    const { token: admin } = await service.administration()
    // Those of the API are tried with these in table.test.ts.
    await forEach(adminRoutes, async (route) => {
      for (const [token, code] of [
        [null, 'token_missing'],
        ['', 'token_missing'],
        ['nonsense', 'invalid_token'],
        ['prm_', 'invalid_token'],
        ['pra_', 'invalid_token'],
        [cut(live), 'invalid_token'],
        [cut(admin), 'invalid_token'],
        [revoked.token, 'invalid_token'],
        [revokedAdmin.token, 'invalid_token'],
        [expired.token, 'invalid_token'],
        [expiredAdmin.token, 'token_expired'],
      ] as const)
        await refusedWith(route, token, `401 ${code}`)
    })
  })

  it('each set of scopes opens the routes that need no others, and nothing else', async () => {
    const check = async (all: Route[], token: string, held: readonly AnyScope[]) =>
      forEach(all, async (route) => {
        const needed = scopesOf(route, undefined)
        const may = needed.every((scope) => held.includes(scope))
        const { status, code } = await ask(route, token, 'nobody')
        const isOpen = ![401, 403].includes(status) && (status < 500 || code === 'still_running')
        if (may) ok(isOpen, `${held}: ${status} ${code}`)
        else equal(`${status} ${code}`, `403 ${codeOf(route, 'insufficient_scope')}`, `${held}`)
      })
    for (const held of setsOf(allScopes)) await check(routes, await room.tokenWith(held), held)
    for (const workspace of [null, room.id])
      for (const scopes of setsOf(allAdminScopes)) {
        const { token } = await service.administration({ workspace, scopes })
        await check(adminRoutes, token, scopes)
      }
  })

  it('prm_ of another workspace finds nothing of this one', async () => {
    const token = await theirs.tokenWith(allScopes)
    await forEach(
      routes.filter(({ path }) => path.includes('{id}')),
      async (route) => {
        const { status, code } = await ask(route, token, room, bodyOf(route, theirs))
        equal(`${status} ${code}`, '404 not_found')
      },
    )
  })
})

/** Every set of some of these, the empty one and the whole included. */
function setsOf<T>(all: readonly T[]): T[][] {
  const sets: T[][] = [[]]
  for (const one of all) sets.push(...sets.map((set) => [...set, one]))
  return sets
}
