import { deepEqual, equal, notEqual, ok, rejects } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { findConnection } from '../../db/accounts/connections.ts'
import { openDatabase } from '../../db/database.ts'
import { accessTokenOf } from '../../oauth/access-token.ts'
import { settingsOf, sourceOf } from '../../oauth/provider.ts'
import { root } from '../support/documents.ts'
import { shownEvents } from '../support/events.ts'
import { secretKey } from '../support/given.ts'
import { givenOauth, givenTokens } from '../support/given-login.ts'
import { testProvider } from '../support/oauth.ts'
import { startService, type TestService } from '../support/service.ts'

describe('an access token', function () {
  this.timeout(60_000)
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  /** An account whose owner has consented, and whose access token has expired. */
  async function given() {
    const provider = await testProvider()
    const workspace = await service.workspace()
    const [id] = workspace.connections
    const account = await givenOauth(service, id, provider, { smtpPort: 9 })
    const row = async () => {
      const found = await findConnection(service.db, id)
      ok(found)
      return found
    }
    const settings = settingsOf(sourceOf({ secretKey }, await row()))
    const refreshToken = provider.consented(account)
    await givenTokens(service, { id, workspace: workspace.id, settings, refreshToken })
    const { db, clock } = service
    const said: string[] = []
    const log = { warn: (_facts: unknown, text?: string) => void said.push(text ?? '') }
    const deps = { db, clock, secretKey, webhookAllowPrivate: false, log }
    const token = async (refused?: string) => accessTokenOf(deps, await row(), refused)
    const told = async () => {
      const events = await shownEvents(service, workspace)
      const { notifications } = (await workspace.call('GET', '/notifications')).body
      const kind = 'channel.consent_needed'
      return [events, notifications].map(
        (all) => all.filter((one: { kind: string }) => one.kind === kind).length,
      )
    }
    const login = () =>
      db.selectFrom('logins').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    return { ...workspace, provider, account, token, told, login, deps, row, said, connection: id }
  }

  it('that has expired is refreshed once for fifty who need it at once, in two processes', async () => {
    const { provider, account, token, row, deps } = await given()
    const other = openDatabase(service.databaseUrl, 20)
    provider.settings.delayMs = 500
    const found = await row()
    const tokens = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        i % 2 === 0 ? token() : accessTokenOf({ ...deps, db: other }, found),
      ),
    )
    await other.destroy()
    equal(new Set(tokens).size, 1)
    equal(provider.counts.refreshes, 1)
    ok(provider.accepts(account, tokens[0] as string))
  })

  it('is replaced when a mail server refuses it, at most once a minute', async () => {
    const { provider, token } = await given()
    const first = await token()
    equal(await token(), first)
    const second = await token(first)
    notEqual(second, first)
    equal(await token(second), second)
    equal(provider.counts.refreshes, 2)
  })

  it('is sealed where it is kept, and so is the refresh token, which is replaced at each use', async () => {
    const { token, login } = await given()
    const before = await login()
    const access = await token()
    const after = await login()
    for (const text of [after.accessToken, after.refreshToken]) ok(text?.startsWith('v1:'))
    ok(!JSON.stringify(after).includes(access))
    notEqual(after.refreshToken, before.refreshToken)
    deepEqual([after.version, after.claimedBy], [before.version + 1, null])
  })

  it('is asked for again by another process after one that dies with the answer', async () => {
    const { provider, account, token, connection } = await given()
    const child = spawn(process.execPath, [join(root, 'test/support/dies-with-token.ts')], {
      env: { ...process.env, DATABASE_URL: service.databaseUrl, CONNECTION: connection },
      stdio: 'inherit',
    })
    const [, signal] = await once(child, 'exit')
    equal(signal, 'SIGKILL')
    equal(provider.counts.refreshes, 1)
    ok(provider.accepts(account, await token()))
    equal(provider.counts.refreshes, 2)
  })

  it('needs a consent, told once, where a provider takes a replaced refresh token for stolen', async () => {
    const { provider, token, connection, told } = await given()
    provider.settings.graceMs = 0
    const child = spawn(process.execPath, [join(root, 'test/support/dies-with-token.ts')], {
      env: { ...process.env, DATABASE_URL: service.databaseUrl, CONNECTION: connection },
      stdio: 'inherit',
    })
    await once(child, 'exit')
    await Promise.all([1, 2, 3].map(() => rejects(token(), { code: 'consent_needed' })))
    await rejects(token(), { code: 'consent_needed' })
    deepEqual(await told(), [1, 1])
    equal(provider.counts.refreshes, 2)
  })

  it('of a revoked consent is asked for no more, and its owner is told once', async () => {
    const { call, provider, account, token, told, said, connection } = await given()
    provider.revoke(account)
    await Promise.all(
      Array.from({ length: 20 }, () => rejects(token(), { code: 'consent_needed' })),
    )
    await rejects(token(), { code: 'consent_needed' })
    equal(provider.counts.refreshes, 1)
    deepEqual(await told(), [1, 1])
    const at = new URL(provider.issuer).host
    deepEqual(said, [
      `The consent for the account ${connection} has ended (consent_needed, invalid_grant at ${at}). Its owner has to consent: npm run -s connect -- ${connection} prints a link for them.`,
    ])
    const { channels } = (await call('GET', '/channels')).body
    const { problem } = channels.find(({ id }: { id: string }) => id === connection)
    equal(problem, 'consent_needed')
  })

  it('that nobody has consented to yet is asked of nobody, and nobody is told', async () => {
    const { call, provider, token, told, connection } = await given()
    await service.db.deleteFrom('logins').where('id', '=', connection).execute()
    await rejects(token(), { code: 'consent_needed' })
    await rejects(token(), { code: 'consent_needed' })
    deepEqual([provider.counts.refreshes, await told()], [0, [0, 0]])
    const { channels } = (await call('GET', '/channels')).body
    equal(channels.find(({ id }: { id: string }) => id === connection).problem, 'consent_needed')
  })

  it('of a provider that does not answer or refuses the client is a trouble, and no consent is lost', async () => {
    const { provider, token, told } = await given()
    provider.settings.fails = { status: 503 }
    await rejects(token(), { code: 'oauth_unreachable' })
    provider.settings.fails = { status: 400, error: 'unauthorized_client' }
    await rejects(token(), { code: 'oauth_refused' })
    // As RFC 6749 (5.2) has it for clients that log in by a header.
    const headers = { 'www-authenticate': 'Basic realm="login"' }
    provider.settings.fails = { status: 401, error: 'invalid_client', headers }
    await rejects(token(), { code: 'oauth_refused', word: 'invalid_client' })
    provider.settings.fails = undefined
    ok(await token())
    deepEqual(await told(), [0, 0])
  })

  it('is got by client credentials where the file says so', async () => {
    const { provider, token, connection } = await given()
    await givenOauth(service, connection, provider, { smtpPort: 9, grant: 'client_credentials' })
    const first = await token()
    equal(await token(), first)
    deepEqual(provider.counts, { refreshes: 0, codes: 0, clients: 1, revocations: 0 })
  })
})
