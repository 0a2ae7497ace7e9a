import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  skipSubjectCheck,
} from 'openid-client'
import { addressesIn, type Claims, ownerIn } from '../rules/oauth.ts'
import { type Fresh, freshOf, inOurWords } from './grants.ts'
import { configurationOf, type Provider } from './provider.ts'

// The consent of an account's owner: authorization code (RFC 6749, 4.1) with PKCE (RFC 7636), state and nonce.

const own = ['openid', 'email', 'offline_access']

/** The scopes to ask for: those of the file and, where a provider has them, those that identify who consents and keep the consent. */
function scopesFor({ kind, scopes }: Provider, configuration: Configuration): string[] {
  const { scopes_supported: supported } = configuration.serverMetadata()
  if (kind === 'google') return [...scopes]
  const known = own.filter((scope) => supported?.includes(scope) ?? scope !== 'offline_access')
  return [...new Set([...known, ...scopes])]
}

/** The address at the provider to which the owner goes on, and what has to fit when they come back. @throws OauthTrouble. */
export async function askConsent(
  provider: Provider,
  { loginHint, redirectUri }: { loginHint: string; redirectUri: string },
  allowPrivate: boolean,
) {
  return inOurWords(async () => {
    const configuration = await configurationOf(provider, allowPrivate)
    const verifier = randomPKCECodeVerifier()
    const [state, nonce] = [randomState(), randomNonce()]
    const scopes = scopesFor(provider, configuration)
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: scopes.join(' '),
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      ...(scopes.includes('openid') && { nonce }),
      login_hint: loginHint,
      // Google gives a refresh token only to who asks for it so, and only with a new consent.
      ...(provider.kind === 'google' && { access_type: 'offline' }),
      // Who has agreed before, perhaps for another workspace, is asked again: a click on a link is no consent.
      prompt: provider.kind === 'microsoft' ? 'select_account consent' : 'consent',
    })
    return { url: url.href, state, nonce, verifier }
  })
}

/** What a provider says when the owner comes back without a code. `error` is one of its codes (RFC 6749, 4.1.2.1). */
export type Refused = { error: string }
/** `owner`: who has consented, at Microsoft, whose names of people are no proof by themselves. */
export type Consented = Fresh & { addresses: string[]; owner: string | undefined }

/**
 * Exchanges the code that the owner comes back with for tokens, and says whose account they are for.
 * @throws OauthTrouble.
 */
export async function takeConsent(
  provider: Provider,
  current: URL,
  checks: { state: string; nonce: string; verifier: string },
  allowPrivate: boolean,
): Promise<Consented | Refused> {
  const askedAt = Date.now()
  return inOurWords(async () => {
    const configuration = await configurationOf(provider, allowPrivate)
    const isOpenId = scopesFor(provider, configuration).includes('openid')
    try {
      const answer = await authorizationCodeGrant(configuration, current, {
        pkceCodeVerifier: checks.verifier,
        expectedState: checks.state,
        ...(isOpenId && { expectedNonce: checks.nonce }),
      })
      const claims: Claims = answer.claims() ?? {}
      const isMicrosoft = provider.kind === 'microsoft'
      const inToken = addressesIn(claims, isMicrosoft)
      const subject = typeof claims['sub'] === 'string' ? claims['sub'] : skipSubjectCheck
      const addresses =
        inToken.length > 0 || 'email' in claims
          ? inToken
          : addressesIn(await userInfo(configuration, answer.access_token, subject), isMicrosoft)
      const owner = isMicrosoft ? ownerIn(claims) : undefined
      return { ...freshOf(answer, askedAt), addresses, owner }
    } catch (error) {
      if (error instanceof AuthorizationResponseError) return { error: error.error }
      throw error
    }
  })
}

async function userInfo(
  configuration: Configuration,
  accessToken: string,
  subject: string | typeof skipSubjectCheck,
): Promise<Claims> {
  if (!configuration.serverMetadata().userinfo_endpoint) return {}
  return { ...(await fetchUserInfo(configuration, accessToken, subject)) }
}
