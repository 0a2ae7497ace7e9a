import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { caller, startService, type TestService } from '../../support/service.ts'

describe('the tokens of a workspace', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  async function given() {
    const workspace = await service.workspace()
    const admin = await service.administration({ workspace: workspace.id, client: 'Shop' })
    const at = `/workspaces/${workspace.id}/tokens`
    const body = { member: workspace.member, client: 'CRM', scopes: ['inbox:read'] }
    return { ...workspace, admin: admin.call, at, body }
  }

  it('POST makes one that calls on behalf of its member, who is notified', async () => {
    const { admin, at, body, member, id, call } = await given()
    const made = await admin('POST', at, { ...body, days: 30 })
    equal(made.status, 200, made.text)
    match(made.body.token, /^prm_/)
    const { token, ...shown } = made.body
    deepEqual(Object.keys(shown), [
      ...['id', 'client', 'member', 'scopes', 'createdAt', 'lastUsedAt', 'expiresAt', 'revokedAt'],
    ])
    deepEqual(
      [shown.client.name, shown.member, shown.scopes, shown.lastUsedAt, shown.revokedAt],
      ['CRM', member, ['inbox:read'], null, null],
    )
    equal(Date.parse(shown.expiresAt) - Date.parse(shown.createdAt), 30 * 24 * 60 * 60 * 1000)

    const theirs = caller(service.url, token)
    const me = await theirs('GET', '')
    deepEqual([me.body.workspace, me.body.member, me.body.client.name], [id, member, 'CRM'])
    equal((await theirs('POST', '/people', {})).body.code, 'insufficient_scope')

    const { notifications } = (await theirs('GET', '/notifications')).body
    equal(notifications[0].kind, 'access.opened')
    match(notifications[0].text, /^Shop has made a token in your name for CRM/)
    const [line] = (await call('GET', '/audit')).body.entries
    deepEqual(
      [line.action, line.client.name, line.member, line.resource, line.after],
      [
        ...['access.opened', 'Shop', '', shown.id],
        { member, application: 'CRM', scopes: ['inbox:read'], expiresAt: shown.expiresAt },
      ],
    )
    const { events } = (await call('GET', '/events?kinds=access.opened&wait=20')).body
    deepEqual([events[0].resource, events[0].data.member], [shown.id, member])
    ok(!JSON.stringify([line, events]).includes(token))
  })

  it('a repeat shows the token to the token that made the call, and to no other', async () => {
    const { admin, at, body, id } = await given()
    const key = randomUUID()
    const made = await admin('POST', at, body, { key })
    equal((await admin('POST', at, body, { key })).body.token, made.body.token)
    const other = await service.administration({ workspace: id })
    const repeat = await other.call('POST', at, body, { key })
    deepEqual([repeat.status, repeat.body], [200, { ...made.body, token: null }])
    const operation = await admin('GET', `/operations/${key}?workspace=${id}`)
    ok(!operation.text.includes(made.body.token))
    ok(!(await admin('GET', at)).text.includes(made.body.token))
  })

  it('POST refuses other members, other scopes and longer lives', async () => {
    const { admin, at, body } = await given()
    const theirs = await service.workspace()
    for (const [change, pointer] of [
      [{ member: theirs.member }, '/member'],
      [{ member: 'mem_none' }, '/member'],
      [{ scopes: ['workspaces'] }, '/scopes/0'],
      [{ scopes: [] }, '/scopes'],
      [{ days: 366 }, '/days'],
      [{ days: 0 }, '/days'],
      [{ client: ' ' }, '/client'],
      [{ client: 'a\nb' }, '/client'],
      [{ colour: 'red' }, '/colour'],
    ] as const) {
      const { status, body: answer } = await admin('POST', at, { ...body, ...change })
      deepEqual([status, answer.errors[0].pointer], [422, pointer])
    }
    const ids = [theirs.member, 'mem_none'].map(async (member) => {
      const { body: answer } = await admin('POST', at, { ...body, member })
      return answer.errors
    })
    const [one, none] = await Promise.all(ids)
    deepEqual(one, none)
  })

  it('GET lists them in pages, those of the operator too', async () => {
    const { admin, at, body, tokenWith } = await given()
    await tokenWith(['send'])
    const made = await admin('POST', at, body)
    const seen: { id: string }[] = []
    let cursor = ''
    do {
      const page = (await admin('GET', `${at}?limit=1&cursor=${cursor}`)).body
      seen.push(...page.tokens)
      cursor = page.next
    } while (cursor)
    ok(seen.length >= 2)
    deepEqual(
      seen.map(({ id }) => id),
      seen.map(({ id }) => id).sort(),
    )
    const { token: _, ...shown } = made.body
    deepEqual(seen.at(-1), shown)
  })

  it('DELETE revokes one, once', async () => {
    const { admin, at, body, member, call } = await given()
    const made = (await admin('POST', at, body)).body
    const theirs = caller(service.url, made.token)
    equal((await theirs('GET', '')).status, 200)
    const closed = await admin('DELETE', `${at}/${made.id}`)
    equal(closed.status, 200, closed.text)
    ok(closed.body.revokedAt)
    equal((await theirs('GET', '')).body.code, 'invalid_token')
    deepEqual((await admin('DELETE', `${at}/${made.id}`)).body.revokedAt, closed.body.revokedAt)
    const { events } = (await call('GET', '/events?kinds=access.closed&wait=20')).body
    deepEqual(
      events.map((event: { resource: string; data: { member: string } }) => [
        event.resource,
        event.data.member,
      ]),
      [[made.id, member]],
    )
  })

  it('another workspace’s token, and a scope that was not given, are refused', async () => {
    const { admin, at, body, id } = await given()
    const other = await given()
    const made = (await other.admin('POST', other.at, other.body)).body
    const theirs = await admin('DELETE', `${at}/${made.id}`)
    const none = await admin('DELETE', `${at}/tok_none`)
    deepEqual([theirs.status, theirs.body.code], [404, 'not_found'])
    equal(none.body.title, theirs.body.title)
    equal((await caller(service.url, made.token)('GET', '')).status, 200)
    const less = await service.administration({ workspace: id, scopes: ['workspaces', 'members'] })
    equal((await less.call('POST', at, body)).body.code, 'insufficient_scope')
    equal((await less.call('GET', at)).body.code, 'insufficient_scope')
  })
})
