import { equal, match, ok } from 'node:assert/strict'
import type { ApplicationFailure } from '@temporalio/common'
import type { Deps } from '../../../activities/deps.ts'
import { openOnce } from '../../../activities/outgoing/breaker.ts'
import { openAccount } from '../../../activities/outgoing/handover.ts'
import { findConnection } from '../../../db/accounts/connections.ts'
import { createLog } from '../../../process/telemetry/log.ts'
import { secretKey } from '../../support/given.ts'
import { givenOauth } from '../../support/given-login.ts'
import { testProvider } from '../../support/oauth.ts'
import { startService, type TestService } from '../../support/service.ts'
import { tokenSmtp } from '../../support/token-mail.ts'

describe('what is said of an account that gets no token', function () {
  this.timeout(60_000)
  let service: TestService
  let deps: Deps
  before(async () => {
    service = await startService()
    const { db, clock, url: publicUrl } = service
    const log = createLog('test', 'silent')
    const workflowState = async () => 'closed' as const
    deps = { db, clock, log, secretKey, publicUrl, workflowState, crash: () => {} }
  })
  after(() => service.close())

  /** What a letter that waits for the account shows in Temporal, and its channel. */
  async function said(set: (connection: string) => Promise<unknown>) {
    const { connections, call } = await service.workspace({ smtpPort: 9 })
    const [id] = connections
    await set(id)
    const row = await findConnection(service.db, id)
    ok(row)
    const failure = await openOnce(deps, row, () => openAccount(deps, row)).then(
      () => undefined,
      (error: ApplicationFailure) => error,
    )
    const { channels } = (await call('GET', '/channels')).body
    const { problem } = channels.find((one: { id: string }) => one.id === id)
    equal(failure?.type, problem)
    return { id, text: failure?.message ?? '' }
  }
  const oauth = (value: unknown) => (id: string) =>
    service.db
      .updateTable('connections')
      .set({ oauth: JSON.stringify(value) })
      .where('id', '=', id)
      .execute()

  it('names the variables that are missing', async () => {
    for (const name of ['google', 'microsoft'] as const) {
      const { text } = await said(oauth(name))
      const prefix = `OAUTH_${name.toUpperCase()}_CLIENT`
      match(text, /cannot be opened \(oauth_unconfigured at (accounts\.google|login\.microsoft)/)
      ok(text.includes(`${prefix}_ID and ${prefix}_SECRET are not set in the environment`), text)
      // Once they are set, nothing else tells so.
      ok(text.includes('tried at most a minute apart'), text)
    }
  })

  it('says how its owner consents', async () => {
    const provider = await testProvider()
    const { id, text } = await said((connection) =>
      givenOauth(service, connection, provider, { smtpPort: 9 }),
    )
    const { host } = new URL(provider.issuer)
    ok(text.includes(`(consent_needed at ${host}) since`), text)
    ok(text.includes(`npm run -s connect -- ${id} prints a link for them.`), text)
  })

  it('says what the provider says, and what to look at', async () => {
    const provider = await testProvider()
    provider.settings.fails = { status: 401, error: 'invalid_client' }
    const { text } = await said((connection) =>
      givenOauth(service, connection, provider, { smtpPort: 9, grant: 'client_credentials' }),
    )
    const { host } = new URL(provider.issuer)
    ok(text.includes(`(oauth_refused, invalid_client at ${host}) since`), text)
    ok(text.includes('look at its id, its secret'), text)
  })

  it('says why a mail server may refuse good tokens', async () => {
    const provider = await testProvider()
    const smtp = await tokenSmtp(() => false)
    const { text } = await said((connection) =>
      givenOauth(service, connection, provider, {
        smtpPort: smtp.port,
        grant: 'client_credentials',
      }),
    )
    ok(text.includes('(smtp_login_refused at 127.0.0.1'), text)
    ok(text.includes('SMTP may be off for this mailbox, or its scopes do not allow it.'), text)
    equal(smtp.logins.refused, 2)
    equal(provider.counts.clients, 2)
  })

  it('does not blame a provider that is away on anybody', async () => {
    const provider = await testProvider()
    provider.settings.fails = { status: 503 }
    const { text } = await said((connection) =>
      givenOauth(service, connection, provider, { smtpPort: 9, grant: 'client_credentials' }),
    )
    match(text, /\(oauth_unreachable, status 503 at [\d.:]+\) since \S+ It is tried at most/)
  })

  it('says why a provider is not reached', async () => {
    for (const [issuer, word] of [
      ['http://127.0.0.1:9', ''],
      ['https://10.0.0.1', ', private_address'],
    ] as const) {
      const client = { issuer, clientId: 'c', clientSecret: 's' }
      const { text } = await said((connection) =>
        givenOauth(service, connection, client, { smtpPort: 9, grant: 'client_credentials' }),
      )
      ok(text.includes(`(oauth_unreachable${word} at ${new URL(issuer).host}) since`), text)
    }
  })
})
