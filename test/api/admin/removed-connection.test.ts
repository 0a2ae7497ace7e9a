import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Context } from 'mocha'
import { settingsOf, sourceOf } from '../../../oauth/provider.ts'
import { givenClient, secretKey } from '../../support/given.ts'
import { givenCampaign } from '../../support/given-campaign.ts'
import { givenOauth, givenTokens } from '../../support/given-login.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { testProvider } from '../../support/oauth.ts'
import { comesTo, eventually, startService, type TestService } from '../../support/service.ts'

// A connection that an application removes, at real servers: what is queued through it ends, and what it was used for stays.

const later = '2027-01-04T09:00:00.000Z'

describe('DELETE /admin/v1/workspaces/{id}/connections/{connection}', function () {
  this.timeout(120_000)
  let service: TestService
  let mail: MailSink
  let worker: { stop(): Promise<void> }
  let between: (point: string) => void = () => {}
  const taskQueue = `removed-${randomUUID()}`
  const work = async (context: Context | undefined) => {
    const deps = { crash: (point: string) => between(point) }
    const only = ['rows', 'send', 'remote', 'hooks'] as const
    worker = await service.work(context, deps, { taskQueue, only })
  }
  before(async function () {
    this.timeout(120_000)
    mail = await testMail()
    service = await startService()
    await work(this.test?.ctx)
  })
  afterEach(() => {
    between = () => {}
  })
  after(() => service.close())

  async function given() {
    const workspace = await service.workspace({ smtpPort: mail.smtpPort })
    const { call: admin } = await service.administration({ workspace: workspace.id })
    const [id] = workspace.connections
    const at = `/workspaces/${workspace.id}/connections`
    const operation = async (key: string) =>
      (await admin('GET', `/operations/${key}?workspace=${workspace.id}`)).body
    const remove = async (query = '') => {
      const key = `remove-${id}`
      const removed = await admin('DELETE', `${at}/${id}${query}`, undefined, { key })
      equal(removed.status, 200, removed.text)
      return { removed, key, done: () => eventually(() => operation(key), isDone, 60_000) }
    }
    return { ...workspace, admin, at, connection: id, remove }
  }
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers member by member.
  const isDone = ({ state }: any) => ['done', 'failed'].includes(state)

  it('ends messages that wait, keeps conversations, and the mailbox may be added again', async () => {
    const { call, admin, at, connection, remove, id, ...workspace } = await given()
    const { conversation } = await givenClient(
      service.db,
      { ...workspace, id, connections: [connection] } as never,
      service.clock.now(),
    )
    const path = `/conversations/${conversation}/messages`
    const sent = await call('POST', path, { text: 'Hello.' })
    const read = async (message: string) => (await call('GET', `/messages/${message}`)).body
    await eventually(
      () => read(sent.body.id),
      ({ state }) => state === 'sent',
      60_000,
    )
    const queued = await call('POST', path, { text: 'Later.', sendAt: later })
    equal(queued.status, 200, queued.text)
    await call('PATCH', `/members/${workspace.member}`, { defaultConnection: connection })
    const before = (await admin('GET', `/workspaces/${id}`)).body

    const wrong = await admin('DELETE', `${at}/${connection}`, undefined, {
      headers: { 'if-match': '"another"' },
    })
    deepEqual([wrong.status, wrong.body.code], [412, 'changed_meanwhile'])
    const { removed, done } = await remove()
    deepEqual(removed.body, { id: connection, deleted: true, revokes: false })
    const ended = await read(queued.body.id)
    deepEqual([ended.state, ended.reason], ['failed', 'connection_removed'])
    equal((await done()).state, 'done')
    deepEqual((await done()).result, { id: connection, deleted: true, revoked: null })

    equal((await read(sent.body.id)).state, 'sent')
    equal((await call('GET', `/conversations/${conversation}`)).status, 200)
    for (const method of ['GET', 'PATCH', 'DELETE'])
      equal(
        (await admin(method, `${at}/${connection}`, method === 'PATCH' ? {} : undefined)).status,
        404,
      )
    const named = async (path: string, of = call) =>
      JSON.stringify((await of('GET', path)).body).includes(connection)
    for (const list of ['/channels', '/senders/health', '/members'])
      equal(await named(list), false, list)
    equal(await named(at, admin), false)
    const wrongly = await call('POST', path, { text: 'Through it.', via: connection })
    deepEqual([wrongly.status, wrongly.body.errors?.[0]?.code], [422, 'unknown_connection'])

    // A document of before does not bring it back; that of now changes nothing.
    const old = await admin('PUT', `/workspaces/${id}`, before)
    deepEqual([old.status, old.body.errors?.[0]?.code], [422, 'unavailable'], old.text)
    const now = (await admin('GET', `/workspaces/${id}`)).body
    const same = await admin('PUT', `/workspaces/${id}`, now)
    deepEqual([same.status, same.body.changes], [200, []], same.text)

    const { entries } = (await call('GET', '/audit')).body
    const line = entries.find((one: { action: string }) => one.action === 'channel.removed')
    equal(line.resource, connection)
    const { notifications } = (await call('GET', '/notifications')).body
    ok(notifications.some(({ text }: { text: string }) => text.includes('its account was removed')))
    const { events } = (await call('GET', '/events?kinds=channel.removed,message.failed')).body
    deepEqual(events.map(({ kind }: { kind: string }) => kind).sort(), [
      'channel.removed',
      'message.failed',
    ])

    const row = await service.db
      .selectFrom('connections')
      .selectAll()
      .where('id', '=', connection)
      .executeTakeFirstOrThrow()
    deepEqual([row.secrets, row.smtp, row.imap, row.oauth], [null, null, null, null])
    const again = await admin('POST', at, {
      ...{ account: row.account, member: workspace.member, password: 'x', save: 'always' },
      smtp: { host: '127.0.0.1', port: mail.smtpPort },
    })
    equal(again.status, 200, again.text)
    match(again.body.connection.id, /^con_/)
    ok(again.body.connection.id !== connection)
  })

  it('ends each message once, also where the worker is killed in between', async function () {
    const { db } = service
    const { call, connection, remove, id, ...workspace } = await given()
    const { conversation } = await givenClient(
      db,
      { ...workspace, id, connections: [connection] } as never,
      service.clock.now(),
    )
    const path = `/conversations/${conversation}/messages`
    const { body: queued, text } = await call('POST', path, { text: 'Later.', sendAt: later })
    ok(queued.id, text)
    // Several pages of them.
    const copies = 340
    await sql`
      insert into messages overriding user value select (jsonb_populate_record(one,
          jsonb_build_object('id', one.id || '_' || n, 'operation', null))).*
      from messages one, generate_series(1, ${copies}::int) n where one.id = ${queued.id}`.execute(
      db,
    )
    let points = 0
    let stopped: Promise<void> | undefined
    let isBack = false
    between = (point) => {
      if (point !== 'after-page' || isBack) return
      if (++points === 2) stopped = worker.stop()
      throw new Error('broken off')
    }
    const { done } = await remove()
    await comesTo(() => stopped !== undefined, true, 60_000)
    await stopped
    isBack = true
    await work(this.test?.ctx)
    equal((await done()).state, 'done')
    const ended = await db
      .selectFrom('messages')
      .select(['state', 'reason'])
      .distinct()
      .where('workspace', '=', id)
      .where('direction', '=', 'outbound')
      .execute()
    deepEqual(ended, [{ state: 'failed', reason: 'connection_removed' }])
    const { rows } = await sql<{ all: number; each: number }>`
      select count(*)::int as all, count(distinct resource)::int as each from events
      where workspace = ${id} and kind = 'message.failed'`.execute(db)
    deepEqual(rows, [{ all: copies + 1, each: copies + 1 }])
  })

  it('ends the letters of campaigns that are bound to it, and a campaign without another account says so', async () => {
    const campaign = await givenCampaign(service, mail, { people: 2 })
    const [connection] = campaign.connections
    equal((await campaign.edit({ senders: [connection] })).status, 200)
    await campaign.move('running')
    await campaign.until('sent', 2)
    const { call: admin } = await service.administration({ workspace: campaign.id })
    const path = `/workspaces/${campaign.id}/connections/${connection}`
    equal((await admin('DELETE', path)).status, 200)
    const touches = await eventually(
      campaign.touches,
      (all) =>
        all.filter(({ reason }: { reason: string }) => reason === 'connection_removed').length ===
        2,
      30_000,
    )
    deepEqual(touches.map(({ state }: { state: string }) => state).sort(), [
      'failed',
      'failed',
      'sent',
      'sent',
    ])
    const others = campaign.connections.slice(1)
    if (others.length > 0) deepEqual((await campaign.read()).campaign.senders, [connection])
    // Nobody but those who were written to is left, so one more has to wait for an account.
    equal((await campaign.sending()).blockedBy, 'no_sender')
    equal((await admin('GET', path)).status, 404)
  })

  it('takes the consent back at the provider, and says so where that fails', async () => {
    for (const [revokesAt, expected] of [
      ['/revoke', 'revoked'],
      [undefined, 'not_supported'],
      ['/nowhere', 'failed'],
    ] as const) {
      const { db } = service
      const provider = await testProvider()
      provider.settings.revokesAt = revokesAt
      const { id, connection, call, remove } = await given()
      const account = await givenOauth(service, connection, provider)
      const row = await db
        .selectFrom('connections')
        .select(['id', 'account', 'oauth', 'secrets'])
        .where('id', '=', connection)
        .executeTakeFirstOrThrow()
      const settings = settingsOf(sourceOf({ secretKey }, row))
      const refreshToken = provider.consented(account)
      await givenTokens(service, { id: connection, workspace: id, settings, refreshToken })

      const { removed, done } = await remove('?revoke=true')
      deepEqual(removed.body, { id: connection, deleted: true, revokes: true })
      const { state, result } = await done()
      deepEqual([state, result.revoked], ['done', expected])
      equal(provider.counts.revocations, expected === 'revoked' ? 1 : 0)
      const left = await db.selectFrom('logins').selectAll().where('id', '=', connection).execute()
      deepEqual(left, [])
      const { secrets, oauth } = await db
        .selectFrom('connections')
        .select(['secrets', 'oauth'])
        .where('id', '=', connection)
        .executeTakeFirstOrThrow()
      deepEqual([secrets, oauth], [null, null])
      const { notifications } = (await call('GET', '/notifications')).body
      equal(
        notifications.some(({ kind }: { kind: string }) => kind === 'channel.revoke_failed'),
        expected !== 'revoked',
      )
    }
  })

  it('is of the workspace of the token alone', async () => {
    const [one, other] = [await given(), await given()]
    equal((await other.admin('DELETE', `${other.at}/${one.connection}`)).status, 404)
    equal((await other.admin('DELETE', `${one.at}/${one.connection}`)).status, 404)
    equal((await one.admin('GET', `${one.at}/${one.connection}`)).status, 200)
  })
})
