import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { sql } from 'kysely'
import type { Ask } from '../../../activities/ports/mail/discover.ts'
import { connectionSecrets } from '../../../db/secrets.ts'
import type { MailSink } from '../../../dev/stack/mail.ts'
import { secretKey } from '../../support/given.ts'
import { testMailboxes } from '../../support/mailboxes.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'
import { scriptedSmtp } from '../../support/smtp-server/server.ts'
import { testClient } from '../../support/temporal.ts'

// Mailboxes that an application adds to a workspace, at a real IMAP server and at servers that say what a test has them say.

const password = 'correct horse & battery "staple"'

describe('the connections of a workspace', function () {
  this.timeout(120_000)
  let service: TestService
  let imapPort: number
  let smtpPort: number
  let sink: MailSink
  const answers: Partial<Ask> = {}
  before(async function () {
    ;({ imapPort, smtpPort, sink } = await testMailboxes(this.test?.ctx))
    service = await startService()
    const askServers: Ask = {
      mx: async (domain) => answers.mx?.(domain) ?? [],
      srv: async (name) => answers.srv?.(name) ?? [],
      document: async (url) => answers.document?.(url),
    }
    await service.work(this.test?.ctx, { askServers }, { only: ['rows', 'remote', 'send'] })
  })
  after(() => service.close())

  const secretsOf = async (id: string) =>
    connectionSecrets(
      secretKey,
      await service.db
        .selectFrom('connections')
        .select(['id', 'secrets'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),
    )

  let n = 0
  /** A workspace with a caller of the administration, and an account of this test's own with its servers. */
  async function given() {
    const workspace = await service.workspace()
    const { call, token } = await service.administration({ workspace: workspace.id })
    const at = `/workspaces/${workspace.id}/connections`
    const account = `box${++n}-${workspace.id.slice(-6)}@boxes.example`
    const imap = { host: '127.0.0.1', port: imapPort }
    const smtp = { host: '127.0.0.1', port: smtpPort }
    const body = { account, member: workspace.member, password, smtp, imap }
    return { ...workspace, admin: call, token, at, account, smtp, imap, body }
  }

  it('POST adds a mailbox whose servers let us in, and answers it as it is read', async () => {
    const { admin, at, account, member, body, call, id } = await given()
    const added = await admin('POST', at, { ...body, name: 'Ana', limits: { day: 7 } })
    equal(added.status, 200, JSON.stringify(added.body))
    deepEqual(Object.keys(added.body), ['connection', 'verified'])
    deepEqual(added.body.verified, { smtp: 'ok', imap: 'ok' })
    const { connection } = added.body
    deepEqual(connection, {
      id: connection.id,
      kind: 'email',
      name: 'Ana',
      account,
      member,
      smtp: { host: '127.0.0.1', port: smtpPort, secure: false, user: account },
      imap: { host: '127.0.0.1', port: imapPort, secure: false, user: account },
      oauth: null,
      bridge: null,
      limits: { day: 7, week: 250, gapSeconds: 30 },
      paused: false,
      alive: true,
      problem: null,
      restsUntil: null,
      readAt: connection.readAt,
    })
    match(connection.id, /^con_/)
    const one = await admin('GET', `${at}/${connection.id}`)
    deepEqual({ ...one.body, readAt: null }, { ...connection, readAt: null })
    const list = await admin('GET', at)
    ok(list.body.connections.some((each: { id: string }) => each.id === connection.id))
    ok(
      (await call('GET', '/channels')).body.channels.some(
        (each: { id: string }) => each.id === connection.id,
      ),
    )
    const { entries: lines } = (await call('GET', '/audit')).body
    const line = lines.find((each: { resource: string }) => each.resource === connection.id)
    deepEqual([line.action, line.client.name, line.member], ['channel.created', 'Product', ''])
    // It may be added once, in whatever spelling.
    const again = await admin('POST', at, { ...body, account: account.toUpperCase() })
    deepEqual(
      [again.status, again.body.code, again.body.connection],
      [409, 'conflict', connection.id],
    )
    await saysNothing(service, id)
  })

  it('POST keeps nothing where a server refuses the login, and says its words without the password', async () => {
    const { admin, at, account, body, id } = await given()
    const smtp = await scriptedSmtp([
      { stage: 'login', answer: `535 5.7.8 Wrong password ${password}` },
    ])
    const refused = await admin('POST', at, { ...body, smtp: smtp.settings(account) })
    deepEqual(
      [refused.status, refused.body.code],
      [422, 'login_failed'],
      JSON.stringify(refused.body),
    )
    deepEqual(refused.body.errors, [
      { pointer: '/smtp', code: 'login_failed', message: '535 5.7.8 Wrong password …' },
    ])
    const { connections } = (await admin('GET', at)).body
    equal(
      connections.some((each: { account: string }) => each.account === account),
      false,
    )
    await saysNothing(service, id)
    const kept = await admin('POST', at, { ...body, smtp: smtp.settings(account), save: 'always' })
    deepEqual(
      [kept.status, kept.body.verified],
      [200, { smtp: 'login_failed', imap: 'ok' }],
      JSON.stringify(kept.body),
    )
    // It was tried once each time.
    equal(smtp.reached(account, 'login'), 2)
    await saysNothing(service, id)
  })

  it('POST answers a server that cannot be reached in one way', async () => {
    const { admin, at, body } = await given()
    const refused = await admin('POST', at, { ...body, imap: { host: '127.0.0.1', port: 1024 } })
    deepEqual(
      [refused.status, refused.body.code, refused.body.errors[0].pointer],
      [422, 'server_unreachable', '/imap'],
    )
  })

  it('POST with the same key answers the same, and tries nothing again', async () => {
    const { admin, at, account, body } = await given()
    const smtp = await scriptedSmtp([{ stage: 'login', answer: '535 5.7.8 Wrong' }])
    const wrong = { ...body, smtp: smtp.settings(account) }
    const key = `verify-${account}`
    const [one, two] = [
      await admin('POST', at, wrong, { key }),
      await admin('POST', at, wrong, { key }),
    ]
    deepEqual([one.status, two.status, two.body], [422, 422, one.body])
    equal(smtp.reached(account, 'login'), 1)
  })

  it('POST with discover finds the servers, and sends no password to hosts that nobody has seen', async () => {
    const { admin, at, body, account } = await given()
    const { smtp: _, imap: __, ...rest } = body
    answers.srv = async (name) => {
      const host = { name: 'mail.elsewhere.example', priority: 0, weight: 0 }
      if (name === '_imaps._tcp.boxes.example') return [{ ...host, port: 993 }]
      return name === '_submissions._tcp.boxes.example' ? [{ ...host, port: 465 }] : []
    }
    const foreign = await admin('POST', at, { ...rest, discover: true })
    deepEqual([foreign.status, foreign.body.errors[0].code], [422, 'hosts_to_confirm'])
    deepEqual(foreign.body.found.unexpected, ['mail.elsewhere.example'])
    answers.srv = async () => []
    const none = await admin('POST', at, { ...rest, discover: true })
    deepEqual([none.status, none.body.errors[0].code], [422, 'no_servers'])
    // What is given comes first.
    const whole = await admin('POST', at, { ...body, discover: true })
    deepEqual([whole.status, whole.body.verified], [200, { smtp: 'ok', imap: 'ok' }], account)
  })

  it('POST names the member that does not fit', async () => {
    const { admin, at, body } = await given()
    const wrong: [object, string][] = [
      [{ member: 'mem_nobody' }, '/member'],
      [{ account: 'nobody' }, '/account'],
      [{ password: undefined }, '/smtp/password'],
      [{ smtp: undefined, imap: undefined }, '/smtp'],
      [{ smtp: { host: '127.0.0.1', port: 25 } }, '/smtp/port'],
      [{ imap: { host: '127.0.0.1', port: 465 } }, '/imap/port'],
      [{ smtp: { host: 'not a host' } }, '/smtp/host'],
      [{ imap: {} }, '/imap/host'],
      [{ oauth: 'google' }, '/password'],
      [{ oauth: 'microsoft', password: undefined }, '/oauth'],
      [{ tls: 'none' }, '/tls'],
      [{ smtp: { host: '127.0.0.1', tls: 'none' } }, '/smtp/tls'],
      [{ password: 'line\nbreak' }, '/password'],
    ]
    for (const [change, pointer] of wrong) {
      const reply = await admin('POST', at, { ...body, ...change })
      equal(reply.status, 422, JSON.stringify([change, reply.body]))
      equal(reply.body.errors[0].pointer, pointer, JSON.stringify(change))
    }
  })

  it('POST with oauth keeps it until its owner agrees', async () => {
    const { admin, at, body } = await given()
    const { account, member } = body
    const added = await admin('POST', at, { account, member, oauth: 'google' })
    deepEqual(
      [added.status, added.body.verified],
      [200, { smtp: 'consent_needed', imap: 'consent_needed' }],
      JSON.stringify(added.body),
    )
    const { connection } = added.body
    deepEqual(
      [connection.oauth, connection.problem, connection.imap.host],
      ['google', 'consent_needed', 'imap.gmail.com'],
    )
  })

  it('POST is refused beyond ten tries of a token in a minute, and five of a mailbox in an hour in all workspaces', async () => {
    const one = await given()
    const closed = { host: '127.0.0.1', port: 1024 }
    const tried = (given: typeof one, account: string) =>
      given.admin('POST', given.at, { ...given.body, account, smtp: closed, imap: closed })
    for (let i = 0; i < 3; i++) equal((await tried(one, one.account)).status, 422)
    const other = await given()
    for (let i = 0; i < 2; i++) equal((await tried(other, one.account)).status, 422)
    const late = await tried(other, one.account)
    deepEqual([late.status, late.body.code], [429, 'rate_limited'])
    ok(Number(late.headers.get('retry-after')) > 3_000)
    for (let i = 0; i < 7; i++) equal((await tried(one, `x${i}-${one.account}`)).status, 422)
    const fast = await tried(one, `y-${one.account}`)
    deepEqual([fast.status, fast.body.code], [429, 'rate_limited'])
    ok(Number(fast.headers.get('retry-after')) <= 60)
  })

  it('PATCH changes what is given, and keeps a password only where it was given for', async () => {
    const { admin, at, body, account, member, id, call } = await given()
    const { connection } = (await admin('POST', at, body)).body
    const one = `${at}/${connection.id}`
    const named = await admin('PATCH', one, { name: 'Sales', limits: { week: 9 } })
    equal(named.status, 200, JSON.stringify(named.body))
    deepEqual(
      [named.body.name, named.body.limits, named.body.member],
      ['Sales', { day: 50, week: 9, gapSeconds: 30 }, member],
    )
    for (const change of [
      { host: '127.0.0.2' },
      { port: smtpPort + 1 },
      { user: 'eve' },
      { secure: true },
    ]) {
      const moved = await admin('PATCH', one, { smtp: change })
      deepEqual([moved.status, moved.body.code], [422, 'secret_needed'], JSON.stringify(change))
      equal(moved.body.errors[0].pointer, '/smtp/password')
    }
    const before = await secretsOf(connection.id)
    equal((await admin('PATCH', one, { smtp: { host: '127.0.0.1', user: account } })).status, 200)
    deepEqual(await secretsOf(connection.id), before)
    const moved = await admin('PATCH', one, { smtp: { user: 'eve' }, password: 'another one' })
    deepEqual([moved.status, moved.body.smtp.user, moved.body.imap.user], [200, 'eve', account])
    deepEqual(await secretsOf(connection.id), { smtp: 'another one', imap: 'another one' })
    equal((await admin('PATCH', one, { imap: { password: 'its own' } })).status, 200)
    deepEqual(await secretsOf(connection.id), { smtp: 'another one', imap: 'its own' })
    equal((await admin('PATCH', one, { member: 'mem_nobody' })).status, 422)
    equal((await admin('PATCH', `${at}/con_nobody`, { name: 'x' })).status, 404)
    const { entries } = (await call('GET', '/audit')).body
    const edits = entries.filter((line: { action: string }) => line.action === 'channel.edited')
    equal(edits.length, 3)
    equal(JSON.stringify(entries).includes('another one'), false)
    await saysNothing(service, id)
  })

  it('PATCH pauses one: nothing goes through it until that is taken back', async () => {
    const { admin, at, body, call, id } = await given()
    const { connection } = (await admin('POST', at, body)).body
    const one = `${at}/${connection.id}`
    const paused = await admin('PATCH', one, { paused: true })
    deepEqual([paused.body.paused, paused.body.problem, paused.body.alive], [true, 'paused', false])
    const to = `kim@${id.slice(-6)}.example`
    const sent = await call('POST', '/conversations', { to, via: connection.id, text: 'Hello.' })
    equal(sent.status, 200, JSON.stringify(sent.body))
    const message = `/messages/${sent.body.message.id}`
    const operations = async () =>
      await service.db
        .selectFrom('operations')
        .select(['state', 'waitingFor'])
        .where('workspace', '=', id)
        .where('workflowType', '=', 'sendMessage')
        .executeTakeFirst()
    deepEqual(await eventually(operations, (now) => now?.waitingFor === 'connection'), {
      state: 'waiting',
      waitingFor: 'connection',
    })
    equal((await call('GET', message)).body.state, 'queued')
    const mails = async () =>
      (await sink.messages()).filter((mail) => JSON.stringify(mail).includes(to))
    equal((await mails()).length, 0)
    const { channels } = (await call('GET', '/channels')).body
    equal(channels.find((each: { id: string }) => each.id === connection.id).problem, 'paused')
    const on = await admin('PATCH', one, { paused: false })
    deepEqual([on.body.paused, on.body.problem], [false, null])
    await eventually(
      async () => (await call('GET', message)).body.state,
      (state) => state === 'sent',
    )
    equal((await mails()).length, 1)
  })

  it('are those of the workspace of the token alone', async () => {
    const [one, other] = [await given(), await given()]
    const added = await one.admin('POST', one.at, one.body)
    equal(added.status, 200)
    const { id } = added.body.connection
    equal((await other.admin('GET', `${other.at}/${id}`)).status, 404)
    equal((await other.admin('GET', `${one.at}/${id}`)).status, 404)
    equal((await other.admin('POST', one.at, other.body)).status, 404)
    const { call } = await service.administration({ workspace: one.id, scopes: ['workspaces'] })
    equal((await call('GET', one.at)).status, 403)
  })

  it('are on the public internet, however their hosts are written', async () => {
    const strict = await startService({ mailAllowPrivate: false, databaseUrl: service.databaseUrl })
    const { id, member } = await strict.workspace()
    const { call } = await strict.administration({ workspace: id })
    const hosts = [
      '127.0.0.1',
      'localhost',
      '10.1.2.3',
      '0x7f.1',
      '[::1]',
      'mail.local',
      'postgres',
    ]
    for (const host of hosts) {
      const body = { account: 'ana@boxes.example', member, password, smtp: { host } }
      const reply = await call('POST', `/workspaces/${id}/connections`, body)
      deepEqual([reply.status, reply.body.code], [422, 'private_address'], host)
      equal(reply.body.errors[0].pointer, '/smtp/host')
    }
    const both = { account: 'ana@boxes.example', member, password, smtp: { host: '10.1.2.3' } }
    for (const [imap, code, pointer] of [
      [{ host: 'localhost' }, 'private_address', '/imap/host'],
      [{ host: 'mail.boxes.example', port: 22 }, 'validation_failed', '/imap/port'],
    ] as const) {
      const { status, body } = await call('POST', `/workspaces/${id}/connections`, {
        ...both,
        imap,
      })
      deepEqual([status, body.code], [422, code])
      deepEqual(
        body.errors.map((one: { pointer: string }) => one.pointer),
        ['/smtp/host', pointer],
      )
    }
    await strict.close()
  })
})

/** Nothing that anybody can read has the password. */
async function saysNothing(service: TestService, workspace: string) {
  const tables = ['operations', 'audit', 'events', 'verifications', 'outbox', 'notifications']
  for (const table of tables) {
    const { rows } = await sql<{ text: string }>`
      select row_to_json(t)::text as text from ${sql.table(table)} t where workspace = ${workspace}`.execute(
      service.db,
    )
    for (const { text } of rows)
      for (const word of ['battery', 'staple']) equal(text.includes(word), false, table)
  }
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open from verifications where workspace = ${workspace} and ended_at is not null and secrets is not null`.execute(
    service.db,
  )
  equal(rows[0]?.open, 0)
  const client = await testClient()
  const { rows: started } = await sql<{ id: string }>`
    select id from operations where workspace = ${workspace} and workflow_type = 'verifyConnection'`.execute(
    service.db,
  )
  const histories = started.map(async ({ id }) =>
    textIn(await client.workflow.getHandle(id).fetchHistory()),
  )
  for (const text of await Promise.all(histories))
    for (const word of ['battery', 'boxes.example', '127.0.0.1'])
      equal(text.includes(word), false, text.slice(0, 200))
}

/** Every text and every payload in a value. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1')
  if (value === null || typeof value !== 'object') return ''
  return Object.values(value).map(textIn).join('\n')
}
