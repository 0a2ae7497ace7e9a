import { deepEqual, equal, ok } from 'node:assert/strict'
import { sql } from 'kysely'
import type { Trx } from '../../../db/database.ts'
import { unseal } from '../../../db/secrets.ts'
import { applyWorkspaceFile } from '../../../dev/operator/workspace-apply.ts'
import { secretKey } from '../../support/given.ts'
import {
  type Caller,
  eventually,
  type Reply,
  startService,
  type TestService,
} from '../../support/service.ts'

// biome-ignore lint/suspicious/noExplicitAny: documents are read member by member.
type Any = any

describe('a workspace as a document', function () {
  this.timeout(120_000)
  let service: TestService
  let call: Caller
  let n = 0
  before(async () => {
    service = await startService({ mailAllowPrivate: false })
    call = (await service.administration()).call
  })
  after(() => service.close())

  const documentOf = (name: string) => ({
    workspace: { id: `wsp_${name}`, name: 'Shop', timezone: 'Europe/Berlin' },
    house: 'Be brief.',
    members: [{ id: `mem_${name}`, name: 'Ana Ruiz', email: 'ana@shop.example' }],
    connections: [
      {
        id: `con_${name}`,
        kind: 'email',
        account: 'ana@shop.example',
        member: `mem_${name}`,
        smtp: {
          host: 'smtp.shop.example',
          port: 465,
          secure: true,
          user: 'ana',
          password: 'pass word',
        },
      } as Any,
    ],
    products: [{ id: `prd_${name}`, name: 'CRM' }],
    agents: [{ id: `agt_${name}`, name: 'Eva', labels: [`prd_${name}`] }],
  })
  /** A workspace that a document has made. */
  async function made() {
    const name = `doc${n++}`
    const document = documentOf(name)
    const path = `/workspaces/wsp_${name}`
    const { status, body } = await call('PUT', path, document)
    equal(status, 200, JSON.stringify(body))
    return { name, document, path, body, id: `wsp_${name}` }
  }
  const read = async (path: string): Promise<Any> => (await call('GET', path)).body
  const connectionOf = (name: string) =>
    service.db
      .selectFrom('connections')
      .select(['smtp', 'secrets'])
      .where('id', '=', `con_${name}`)
      .executeTakeFirstOrThrow()
  const passwordsOf = async (name: string) =>
    unseal(secretKey, (await connectionOf(name)).secrets as string, {
      in: 'connections.secrets',
      id: `con_${name}`,
    })

  /** The answers of calls that all come while a transaction that has changed something is open. */
  async function behindLock(
    change: (given: { trx: Trx; id: string }) => Promise<unknown>,
    calls: (() => Promise<Reply>)[],
    id: string,
  ): Promise<Reply[]> {
    let answered = 0
    const answers = await service.db.transaction().execute(async (trx) => {
      await change({ trx, id })
      const asked = calls.map((ask) => ask().finally(() => answered++))
      await eventually(
        async () => {
          const { rows } = await sql<{ n: number }>`
            select count(*)::int as n from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`.execute(service.db)
          return (rows[0]?.n ?? 0) + answered
        },
        (n) => n >= calls.length,
        60_000,
      )
      return asked
    })
    return Promise.all(answers)
  }

  it('makes a workspace, and shows it without secrets', async () => {
    const { path, body, name, id } = await made()
    deepEqual(
      body.changes.map((change: Any) => [change.path, change.from]),
      [
        ['/workspace', null],
        ['/members/0', null],
        ['/connections/0', null],
        ['/products/0', null],
        ['/agents/0', null],
      ],
    )
    deepEqual(body.notMentioned, [])
    ok(!JSON.stringify(body).includes('pass word'))
    const shown = await read(path)
    deepEqual(shown.connections[0].smtp, {
      host: 'smtp.shop.example',
      port: 465,
      secure: true,
      user: 'ana',
    })
    equal(shown.house, 'Be brief.')
    deepEqual(await passwordsOf(name), { smtp: 'pass word' })
    equal((await connectionOf(name)).smtp?.public, true)
    const { entries } = await service.db
      .selectFrom('audit')
      .select(['action', 'clientName', 'member'])
      .where('workspace', '=', id)
      .execute()
      .then((entries) => ({ entries }))
    deepEqual(entries, [{ action: 'workspace.edited', clientName: 'Product', member: null }])
  })

  it('takes null for a member that is left out', async () => {
    const { path, name, document } = await made()
    const [connection] = document.connections
    const imap = { host: 'imap.shop.example', port: 993, secure: true, password: 'pass word' }
    for (const folders of [null, { leaveOut: null }]) {
      const { status, text } = await call('PUT', path, {
        workspace: { id: null, name: 'Shop', timezone: 'Europe/Berlin' },
        connections: [{ ...connection, imap: { ...imap, folders } }],
      })
      equal(status, 200, text)
    }
    const shown = await read(path)
    equal(shown.workspace.id, `wsp_${name}`)
    equal(shown.connections[0].imap.host, 'imap.shop.example')
  })

  it('what GET shows changes nothing when it is put, and a repeat answers the same', async () => {
    const { path } = await made()
    const shown = await read(path)
    const first = await call('PUT', path, shown, { key: 'again' })
    deepEqual([first.status, first.body.changes], [200, []])
    const second = await call('PUT', path, shown, { key: 'again' })
    equal(second.headers.get('idempotent-replayed'), 'true')
    deepEqual(second.body, first.body)
    deepEqual(await read(path), shown)
  })

  it('nor does it for all that an operator can describe', async () => {
    const applied = await applyWorkspaceFile(service.db, {
      path: 'dev/demo.yml',
      env: { MAIL_SMTP_PORT: '3025', MAIL_IMAP_PORT: '3143' },
      secretKey,
      now: service.clock.now(),
    })
    ok(!applied.problems, JSON.stringify(applied))
    const path = `/workspaces/${applied.workspace}`
    const shown = await read(path)
    const { status, body } = await call('PUT', path, shown)
    equal(status, 200, JSON.stringify(body))
    deepEqual([body.changes, body.notMentioned], [[], []])
  })

  it('makes a sandbox, which stays one, and whose accounts need no servers', async () => {
    const name = `doc${n++}`
    const path = `/workspaces/wsp_${name}`
    const workspace = { name: 'Trial', timezone: 'Europe/Berlin' }
    const connections = [
      { id: `con_${name}`, kind: 'email', account: 'sam@trial.example', member: `mem_${name}` },
    ]
    const members = [{ id: `mem_${name}`, name: 'Sam', email: 'sam@trial.example' }]
    const first = await call('PUT', path, {
      ...{ members, connections },
      workspace: { ...workspace, mode: 'sandbox' },
    })
    equal(first.status, 200, first.text)
    const shown = await read(path)
    equal(shown.workspace.mode, 'sandbox')
    deepEqual(shown.connections[0].imap, {
      ...{ host: 'sandbox.postroom.example', port: 993, secure: true },
    })
    for (const document of [shown, { workspace, members, connections }]) {
      const { status, body } = await call('PUT', path, document)
      deepEqual([status, body.changes], [200, []])
    }
    const refusals = [
      [{ workspace: { ...workspace, mode: 'live' } }, '/workspace/mode'],
      [{ workspace: { ...workspace, mode: 'test' } }, '/workspace/mode'],
      [
        { workspace, connections: [{ ...connections[0], oauth: 'google' }] },
        '/connections/0/oauth',
      ],
    ] as const
    for (const [document, pointer] of refusals) {
      const { status, body } = await call('PUT', path, document)
      deepEqual([status, body.errors?.[0]?.pointer], [422, pointer], JSON.stringify(body))
    }
    const other = await made()
    const { status, body } = await call('PUT', other.path, {
      workspace: { ...workspace, mode: 'sandbox' },
    })
    deepEqual(
      [status, body.errors?.[0]?.message],
      [422, 'must stay live: it is decided when a workspace is made'],
    )
    equal((await read(other.path)).workspace.mode, 'live')
  })

  it('changes what differs, keeps what it does not name, and says both', async () => {
    const { path, name, id } = await made()
    // The path says which workspace it is.
    const ours = { workspace: { name: 'Shop', timezone: 'Asia/Tokyo' } }
    const members = [{ id: `mem_${name}`, name: 'Ana R.', email: 'ana@shop.example' }]
    const plan = await call('PUT', `${path}?plan=true`, { ...ours, members })
    const before = await read(path)
    deepEqual(plan.body, {
      workspace: id,
      changes: [
        { path: '/workspace/timezone', from: 'Europe/Berlin', to: 'Asia/Tokyo' },
        { path: '/members/0/name', from: 'Ana Ruiz', to: 'Ana R.' },
      ],
      notMentioned: [`connections/con_${name}`, `products/prd_${name}`, `agents/agt_${name}`],
    })
    equal(before.workspace.timezone, 'Europe/Berlin')
    deepEqual((await call('PUT', path, { ...ours, members })).body, plan.body)
    const shown = await read(path)
    deepEqual([shown.workspace.timezone, shown.members[0].name], ['Asia/Tokyo', 'Ana R.'])
    equal(shown.connections.length, 1)
  })

  it('shows what clients have edited meanwhile', async () => {
    const ours = await service.workspace()
    await ours.call('PATCH', `/members/${ours.member}`, { signature: 'Best, T' })
    const shown = await read(`/workspaces/${ours.id}`)
    equal(shown.members[0].signature, 'Best, T')
  })

  it('takes no password to another server, port, user or TLS', async () => {
    const { path, document, name } = await made()
    const smtp = { host: 'smtp.shop.example', port: 465, secure: true, user: 'ana' }
    const put = (server: object) =>
      call('PUT', path, {
        ...document,
        connections: [{ ...document.connections[0], smtp: server }],
      })
    for (const change of [
      { host: 'evil.example' },
      { port: 587 },
      { user: 'bo' },
      { secure: false },
      { tls: { servername: 'evil.example' } },
    ]) {
      const { status, body } = await put({ ...smtp, ...change })
      deepEqual([status, body.code], [422, 'secret_needed'], JSON.stringify(change))
      equal(body.errors[0].pointer, '/connections/0/smtp/password')
    }
    equal((await put(smtp)).status, 200)
    deepEqual(await passwordsOf(name), { smtp: 'pass word' })
    const moved = await put({ ...smtp, host: 'mx.shop.example', password: 'new word' })
    deepEqual(
      moved.body.changes.map(({ path, to }: Any) => [path, to]),
      [
        ['/connections/0/smtp/host', 'mx.shop.example'],
        ['/connections/0/smtp/password', 'changed'],
      ],
    )
    deepEqual(await passwordsOf(name), { smtp: 'new word' })
  })

  it('names servers on the public internet with TLS, and no variables, files or bridges', async () => {
    const { path, document } = await made()
    const other = { id: `con_x${n}`, kind: 'email', account: 'x@shop.example' }
    const of = { ...other, member: document.members[0]?.id }
    const smtp = { host: 'smtp.shop.example', port: 465, secure: true, user: 'ana' }
    const url = 'https://bridge.example/'
    const secret = Buffer.alloc(32).toString('base64')
    const issuer = { issuer: 'https://login.example', clientId: 'x' }
    const cases: [member: object, pointer: string][] = [
      [{ smtp: { ...smtp, secure: false, tls: 'none' } }, '/connections/1/smtp/tls'],
      [{ smtp: { ...smtp, host: '127.0.0.1' } }, '/connections/1/smtp/host'],
      [{ smtp: { ...smtp, host: 'localhost' } }, '/connections/1/smtp/host'],
      [{ smtp: { ...smtp, port: 22 } }, '/connections/1/smtp/port'],
      [{ smtp: { ...smtp, host: '[::1]' } }, '/connections/1/smtp/host'],
      [{ smtp: { ...smtp, password: `\${SECRET_KEY}` } }, '/connections/1/smtp/password'],
      [{ smtp, oauth: 'google' }, '/connections/1/smtp/host'],
      [{ smtp, oauth: issuer }, '/connections/1/oauth'],
      [{ smtp, oauth: { tokenServer: { url, secret } } }, '/connections/1/oauth'],
      [{ kind: 'messenger', bridge: { url, secret } }, '/connections/1/bridge'],
    ]
    for (const [member, pointer] of cases) {
      const connections = [document.connections[0], { ...of, ...member }]
      const { status, body } = await call('PUT', path, { ...document, connections })
      equal(status, 422, JSON.stringify([member, body]))
      equal(body.errors[0].pointer, pointer, JSON.stringify(body))
    }
    const local = { ...smtp, host: 'localhost' }
    for (const [member, code] of [
      [{ smtp: local }, 'private_address'],
      [{ smtp: local, imap: { ...local, port: 993 } }, 'private_address'],
      [{ smtp: { ...local, port: 22 } }, 'validation_failed'],
    ] as const) {
      const connections = [document.connections[0], { ...of, ...member }]
      const { status, body } = await call('PUT', path, { ...document, connections })
      deepEqual([status, body.code], [422, code], JSON.stringify(body))
      equal(body.errors.length, Object.keys(member).length + (code === 'validation_failed' ? 1 : 0))
    }
    for (const [member, pointer] of [
      [{ prospects: 'people.csv' }, '/prospects'],
      [{ agents: [{ id: 'agt_y', name: 'Y', company: 'com_none' }] }, '/agents/0/company'],
      [{ workspace: { ...document.workspace, id: 'wsp_other' } }, '/workspace/id'],
    ] as const) {
      const { status, body } = await call('PUT', path, { ...document, ...member })
      deepEqual([status, body.errors[0].pointer], [422, pointer])
    }
    equal((await read(path)).connections.length, 1)
  })

  it('does nothing if anything of it is wrong', async () => {
    const { path, document } = await made()
    const shown = await read(path)
    const agents = [{ id: `agt_z${n}`, name: 'Z', channels: ['con_none'] }]
    const { status } = await call('PUT', path, { ...document, house: 'Other', agents })
    equal(status, 422)
    deepEqual(await read(path), shown)
  })

  it('says of an id that another workspace has no more than that it cannot be used', async () => {
    const theirs = await service.workspace()
    const { path, document } = await made()
    const members = [{ id: theirs.member, name: 'X', email: 'x@shop.example' }]
    const { status, body, text } = await call('PUT', path, {
      ...document,
      members,
      connections: [],
    })
    equal(status, 422)
    deepEqual(body.errors, [
      {
        pointer: '/members/0/id',
        code: 'unavailable',
        message: 'cannot be used: choose another id',
      },
    ])
    ok(!text.includes(theirs.id))
  })

  describe('with a token of one workspace', () => {
    it('makes no workspace, and changes no other', async () => {
      const { id, path } = await made()
      const own = (await service.administration({ workspace: id })).call
      for (const other of ['wsp_new', (await made()).id]) {
        const workspace = { id: other, name: 'X', timezone: 'UTC' }
        const { status, body } = await own('PUT', `/workspaces/${other}`, { workspace })
        deepEqual([status, body.code], [404, 'not_found'])
      }
      equal((await own('GET', path)).status, 200)
    })

    it('raises no limit beyond the usual one or that of the operator, nor its subscription', async () => {
      const { id, path, document } = await made()
      const own = (await service.administration({ workspace: id })).call
      const put = (limits: object, more: object = {}) =>
        own('PUT', path, {
          ...document,
          connections: [{ ...document.connections[0], limits }],
          ...more,
        })
      equal((await put({ day: 40 })).status, 200)
      equal((await put({ day: 50 })).status, 200)
      for (const limits of [{ day: 51 }, { week: 251 }, { gapSeconds: 29 }]) {
        const { status, body } = await put(limits)
        deepEqual([status, body.errors[0].code], [422, 'operator_only'], JSON.stringify(limits))
      }
      const { body } = await put({}, { billing: { plan: 'all' } })
      equal(body.errors[0].pointer, '/billing')
      equal((await call('PUT', path, { ...document, billing: { plan: 'team' } })).status, 200)
    })
  })

  it('needs the scopes of what it names', async () => {
    const { id, path, document } = await made()
    const { call: some } = await service.administration({ workspace: id, scopes: ['workspaces'] })
    const { workspace } = document
    equal((await some('PUT', path, { workspace })).status, 200)
    const { status, body } = await some('PUT', path, document)
    equal(status, 403)
    deepEqual(body.scopes, ['workspaces', 'members', 'connections'])
  })

  it('refuses ids of workspaces that cannot be', async () => {
    for (const id of ['a b', 'a:b', 'x'.repeat(65), 'admin']) {
      const workspace = { id, name: 'X', timezone: 'UTC' }
      const { body } = await call('PUT', `/workspaces/${encodeURIComponent(id)}`, { workspace })
      equal(body.code, 'not_found', id)
    }
  })

  it('is put under If-Match only as it was read, once of two at a time, and is not made under one', async () => {
    const { path, document } = await made()
    const tagOf = async () => (await call('GET', path)).headers.get('etag') ?? ''
    const put = (name: string, tag: string, at = path) => {
      const workspace = { ...document.workspace, id: at.slice('/workspaces/'.length), name }
      const body = at === path ? { ...document, workspace } : { workspace }
      return call('PUT', at, body, { headers: { 'if-match': tag } })
    }
    const tag = await tagOf()
    // Both have come before either is carried out.
    const both = await behindLock(
      ({ trx, id }) => trx.updateTable('workspaces').set({ id }).where('id', '=', id).execute(),
      ['One', 'Two'].map((name) => () => put(name, tag)),
      path.slice('/workspaces/'.length),
    )
    deepEqual(both.map(({ status }) => status).sort(), [200, 412])
    equal(both.find(({ status }) => status === 412)?.body.code, 'changed_meanwhile')
    const plan = await call('PUT', `${path}?plan=true`, document, { headers: { 'if-match': tag } })
    equal(plan.status, 412)
    // What lies in it counts too.
    const read = await tagOf()
    const member = `/members/${document.members[0]?.id}`
    equal((await call('PATCH', `${path}${member}`, { name: 'Ana Gil' })).status, 200)
    equal((await put('Three', read)).status, 412)
    equal((await put('Three', `W/${await tagOf()}`)).status, 412)
    equal((await put('Three', `W/"x", ${await tagOf()}`)).status, 200)
    for (const any of [await tagOf(), '*', '"x"']) {
      const absent = await put('New', any, '/workspaces/wsp_not_there')
      deepEqual([absent.status, absent.body.code], [412, 'changed_meanwhile'])
    }
    equal((await call('GET', '/workspaces/wsp_not_there')).status, 404)
  })

  it('undoes no edit of what lies in it that came between its reading and its end', async () => {
    const { path, document, id, name } = await made()
    const tag = (await call('GET', path)).headers.get('etag') ?? ''
    const headers = { 'if-match': tag }
    const changes = {
      members: { name: 'Ana Gil' },
      connections: { limitDay: 7 },
      products: { goal: 'x' },
      agents: { goal: 'x' },
    }
    const ids = { members: 'mem', connections: 'con', products: 'prd', agents: 'agt' }
    for (const table of Object.keys(changes) as (keyof typeof changes)[]) {
      const own = `${ids[table]}_${name}`
      const read = (await call('GET', path)).headers.get('etag') ?? ''
      const [put] = await behindLock(
        ({ trx }) =>
          trx
            .updateTable(table)
            .set(changes[table] as never)
            .where('id', '=', own)
            .execute(),
        [() => call('PUT', path, document, { headers: { 'if-match': read } })],
        id,
      )
      deepEqual([put?.status, put?.body.code], [412, 'changed_meanwhile'], table)
    }
    equal((await read(path)).members[0].name, 'Ana Gil')
    equal((await call('PUT', path, document, { headers })).status, 412)
  })

  it('keeps its retention, which a token of the workspace alone does not set', async () => {
    const { path, document, id } = await made()
    const retention = {
      messages: 30,
      files: 10,
      inboxWithoutPerson: 7,
      audit: 90,
      notifications: 'forever',
    }
    equal((await call('PUT', path, { ...document, retention })).status, 200)
    deepEqual((await read(path)).retention, retention)
    deepEqual((await call('PUT', path, await read(path))).body.changes, [])
    const own = (await service.administration({ workspace: id })).call
    for (const name of Object.keys(retention)) {
      const put = await own('PUT', path, { ...document, retention: { ...retention, [name]: 1 } })
      deepEqual([put.status, put.body.errors[0].code], [422, 'operator_only'], name)
    }
    deepEqual((await read(path)).retention, retention)
    for (const days of [0, -1, 1.5, 40_000, 'never'])
      equal((await call('PUT', path, { ...document, retention: { messages: days } })).status, 422)
  })
})
