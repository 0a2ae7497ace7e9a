import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { adminRoutes } from '../../../api/routes/admin/index.ts'
import { insertOperation } from '../../../db/operations/operations.ts'
import { createAdminToken } from '../../../db/workspace/admin-tokens.ts'
import { adminCaller, startService, type TestService } from '../../support/service.ts'

describe('the administration', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  it('GET /admin/v1 answers the application and the one workspace of the token', async () => {
    const { id } = await service.workspace()
    const all = await service.administration({ client: 'Shop' })
    const { status, body } = await all.call('GET', '')
    equal(status, 200)
    deepEqual(Object.keys(body), ['client', 'workspace'])
    match(body.client.id, /^cli_/)
    deepEqual([body.client.name, body.workspace], ['Shop', null])
    const one = await service.administration({ workspace: id })
    equal((await one.call('GET', '')).body.workspace, id)
  })

  describe('GET /admin/v1/workspaces', () => {
    it('lists every workspace in pages, with the numbers of its members and connections', async () => {
      const made = [await service.workspace(), await service.workspace(), await service.workspace()]
      const { call } = await service.administration()
      const seen: { id: string }[] = []
      let cursor = ''
      do {
        const { body } = await call('GET', `/workspaces?limit=2&cursor=${cursor}`)
        ok(body.workspaces.length <= 2)
        seen.push(...body.workspaces)
        cursor = body.next
      } while (cursor)
      const ids = seen.map(({ id }) => id)
      deepEqual(ids, [...new Set(ids)].sort())
      for (const { id, connections } of made) {
        const row = seen.find((one) => one.id === id) as Record<string, unknown> | undefined
        deepEqual(
          { ...row, createdAt: typeof row?.['createdAt'] },
          {
            id,
            name: 'Test',
            timezone: 'Europe/Berlin',
            mode: 'live',
            members: 1,
            connections: connections.length,
            createdAt: 'string',
          },
        )
      }
    })

    it('lists the one that the token sees', async () => {
      const { id } = await service.workspace()
      await service.workspace()
      const { call } = await service.administration({ workspace: id })
      const { body } = await call('GET', '/workspaces')
      deepEqual(
        body.workspaces.map((one: { id: string }) => one.id),
        [id],
      )
      equal(body.next, null)
    })

    it('refuses parameters and cursors that are not its own', async () => {
      const { call } = await service.administration()
      equal((await call('GET', '/workspaces?colour=red')).body.code, 'invalid_query')
      equal((await call('GET', '/workspaces?cursor=nonsense')).body.code, 'invalid_cursor')
    })
  })

  describe('GET /admin/v1/operations/{key}', () => {
    const operation = (workspace: string, key: string, token: string) =>
      insertOperation(service.db, {
        id: `${workspace}:${key}`,
        ...{ workspace, key, token, kind: 'member.created', fingerprint: 'f' },
        answer: { status: 200, body: '{}', at: service.clock.now() },
      })

    it('reads a call to the administration by its key and workspace, and no other', async () => {
      const ours = await service.workspace()
      const theirs = await service.workspace()
      await operation(ours.id, 'made', 'tka_1')
      await operation(ours.id, 'posted', 'tok_1')
      const read = async (key: string, workspace: string | null, only: string | null = null) => {
        const { call } = await service.administration({ workspace: only })
        const of = workspace ? `?workspace=${workspace}` : ''
        return (await call('GET', `/operations/${key}${of}`)).body
      }
      const { id, kind, state } = await read('made', ours.id)
      deepEqual([id, kind, state], [`${ours.id}:made`, 'member.created', 'done'])
      equal((await read('made', null, ours.id)).id, `${ours.id}:made`)
      for (const asked of [
        read('made', null),
        read('made', theirs.id),
        read('made', ours.id, theirs.id),
        read('posted', ours.id),
        read('none', ours.id),
      ])
        equal((await asked).code, 'not_found')
      const whole = `${ours.id}:made`
      for (const asked of [
        read(whole, null),
        read(whole, ours.id),
        read(whole, null, ours.id),
        read(whole, ours.id, ours.id),
      ])
        equal((await asked).id, whole)
      for (const asked of [
        read(whole, theirs.id),
        read(whole, null, theirs.id),
        read(whole, ours.id, theirs.id),
        read(`${ours.id}:posted`, null),
        read(`${ours.id}:none`, null),
        read(`:made`, null),
        read(`wsp_none:made`, null),
      ])
        equal((await asked).code, 'not_found')
      equal((await ours.call('GET', '/operations/made')).body.code, 'not_found')
      equal((await ours.call('GET', '/operations/posted')).status, 200)
      const { operations } = (await ours.call('GET', '/operations')).body
      deepEqual(
        operations.map(({ id }: { id: string }) => id),
        [`${ours.id}:posted`],
      )
    })
  })

  it('PATCH /admin/v1/workspaces/{id} without a member changes nothing', async () => {
    const { id } = await service.workspace()
    const { call } = await service.administration()
    const held = await call('PATCH', `/workspaces/${id}`, { held: { why: 'Not paid.' } })
    const lines = () =>
      service.db.selectFrom('audit').select('action').where('workspace', '=', id).execute()
    deepEqual(await lines(), [{ action: 'workspace.held' }])
    for (const body of [{}, undefined]) {
      const { status, body: answer, text } = await call('PATCH', `/workspaces/${id}`, body)
      equal(status, 200, text)
      deepEqual(answer, held.body)
    }
    deepEqual(await lines(), [{ action: 'workspace.held' }])
    equal((await call('PATCH', `/workspaces/${id}`, { held: null })).body.held, undefined)
    equal((await call('PATCH', '/workspaces/wsp_none', {})).status, 404)
  })

  it('refuses tokens that were revoked or have expired', async () => {
    const ago = new Date(Date.now() - 60_000)
    for (const [column, code] of [
      [{ revokedAt: ago }, 'invalid_token'],
      [{ expiresAt: ago }, 'token_expired'],
    ] as const) {
      const { row, token } = await createAdminToken(service.db, {
        workspace: null,
        client: 'Old',
        scopes: [],
      })
      await service.db.updateTable('adminTokens').set(column).where('id', '=', row.id).execute()
      const { status, body } = await adminCaller(service.url, token)('GET', '')
      deepEqual([status, body.code], [401, code])
    }
  })

  it('answers unknown addresses and methods as everywhere', async () => {
    const { call } = await service.administration()
    equal((await call('GET', '/nothing')).body.code, 'no_such_route')
    const { status, headers } = await call('POST', '/workspaces', {})
    deepEqual([status, headers.get('allow')], [405, 'GET, HEAD'])
  })

  it('has its own document, and a section of the reference', async () => {
    const read = async (path: string) => (await fetch(`${service.url}${path}`)).text()
    const { paths } = JSON.parse(await read('/admin/openapi.json'))
    const described = Object.entries<Record<string, { operationId: string }>>(paths).flatMap(
      ([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`),
    )
    deepEqual(
      described.sort(),
      adminRoutes.map(({ method, path }) => `${method.toLowerCase()} /admin/v1${path}`).sort(),
    )
    ok(!(await read('/openapi.json')).includes('/admin/v1'))
    const page = await read('/docs')
    const all = Object.values<Record<string, { operationId: string }>>(paths)
    for (const { operationId } of all.flatMap(Object.values))
      equal(page.split(`id="${operationId}"`).length, 2, operationId)
  })

  it('is not part of the reduced deployment', async () => {
    const reduced = await startService({ variant: 'reduced' })
    const { call } = await reduced.administration()
    equal((await call('GET', '')).body.code, 'no_such_route')
    equal((await call('GET', '/workspaces')).body.code, 'no_such_route')
    equal((await fetch(`${reduced.url}/admin/openapi.json`)).status, 404)
    ok(!(await (await fetch(`${reduced.url}/docs`)).text()).includes('id="administration"'))
    await reduced.close()
  })
})
