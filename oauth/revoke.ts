import { tokenRevocation } from 'openid-client'
import { findLogin } from '../db/accounts/logins.ts'
import type { Db } from '../db/database.ts'
import { unseal } from '../db/secrets.ts'
import { inOurWords } from './grants.ts'
import {
  configurationOf,
  needsOwner,
  type OauthAccount,
  type OauthDeps,
  settingsOf,
  sourceOf,
} from './provider.ts'

// The consent of an owner is taken back where their provider takes it (RFC 7009). Its address is one that the provider's document
// names, and is called as the others of it are: on the public internet, without redirects, for a short time.

/**
 * Takes back the consent for an account. `not_supported`: there is nothing to take back, or its provider has no address for that, as
 * Microsoft has none.
 * @throws OauthTrouble; SealError.
 */
export async function revokeConsent(
  deps: OauthDeps & { db: Db },
  account: OauthAccount,
): Promise<'revoked' | 'not_supported'> {
  if (!needsOwner(account)) return 'not_supported'
  const login = await findLogin(deps.db, account.id)
  const source = sourceOf(deps, account)
  if ('url' in source || !login || login.settings !== settingsOf(source)) return 'not_supported'
  const { id } = account
  const token =
    login.refreshToken !== null
      ? unseal<string>(deps.secretKey, login.refreshToken, { in: 'logins.refreshToken', id })
      : login.accessToken !== null
        ? unseal<string>(deps.secretKey, login.accessToken, { in: 'logins.accessToken', id })
        : undefined
  if (token === undefined) return 'not_supported'
  return inOurWords(async () => {
    const configuration = await configurationOf(source, deps.webhookAllowPrivate === true)
    if (configuration.serverMetadata().revocation_endpoint === undefined) return 'not_supported'
    const hint = login.refreshToken === null ? 'access_token' : 'refresh_token'
    await tokenRevocation(configuration, token, { token_type_hint: hint })
    return 'revoked' as const
  })
}
