import { seal } from '../../db/secrets.ts'
import { sealedFor, secretKey } from './given.ts'
import type { TestProvider } from './oauth.ts'
import type { TestService } from './service.ts'

/** Makes an account of the workspace log in with tokens of a provider. Answers its address. */
export async function givenOauth(
  { db }: Pick<TestService, 'db'>,
  connection: string,
  provider: Pick<TestProvider, 'issuer' | 'clientId' | 'clientSecret'>,
  servers: { smtpPort?: number; imapPort?: number; grant?: 'client_credentials' } = {},
) {
  const { issuer, clientId, clientSecret } = provider
  const { smtpPort, imapPort, grant } = servers
  const on = (port: number | undefined) =>
    port === undefined ? null : JSON.stringify({ host: '127.0.0.1', port, secure: false })
  const { account } = await db
    .updateTable('connections')
    .set({
      smtp: on(smtpPort),
      imap: on(imapPort),
      oauth: JSON.stringify({ issuer, clientId, scopes: ['mail'], ...(grant && { grant }) }),
      secrets: sealedFor(connection, { oauth: clientSecret }),
    })
    .where('id', '=', connection)
    .returning('account')
    .executeTakeFirstOrThrow()
  return account
}

/** Tokens that are kept already: the access token has expired unless it is given. */
export async function givenTokens(
  { db }: Pick<TestService, 'db'>,
  given: { id: string; workspace: string; settings: string; refreshToken: string },
) {
  const { id, workspace, settings, refreshToken } = given
  await db
    .insertInto('logins')
    .values({
      ...{ id, workspace, settings, state: 'connected' as const, since: new Date() },
      accessToken: seal(secretKey, 'expired', { in: 'logins.accessToken', id }),
      expiresAt: new Date(Date.now() - 1_000),
      refreshToken: seal(secretKey, refreshToken, { in: 'logins.refreshToken', id }),
    })
    .execute()
}
