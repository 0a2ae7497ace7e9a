import { createHash } from 'node:crypto'
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  clockTolerance,
  customFetch,
  discovery,
} from 'openid-client'
import type { Oauth } from '../db/accounts/tables.ts'
import { connectionSecrets, type SecretKey } from '../db/secrets.ts'
import { setNewest } from '../rules/newest.ts'
import { microsoftHost, oauthProviders } from '../rules/oauth.ts'
import { boundedFetch, mayStayPrivate } from './bounded-fetch.ts'
import { OauthTrouble } from './trouble.ts'

// Which provider an account's tokens come from, and as which client of it we ask.

/** `issuer` names a stand-in for the provider; without it, it is the provider's own. */
type Client = { clientId: string; clientSecret: string; issuer?: string }
/** Our clients at the providers that are known by name. */
export type OauthClients = {
  google?: Client | undefined
  microsoft?: Client | undefined
  microsoftTenant: string
}

/** What is needed to get tokens, whichever process asks. */
export type OauthDeps = {
  secretKey: SecretKey
  oauth?: OauthClients | undefined
  webhookAllowPrivate?: boolean
}

export type OauthAccount = {
  id: string
  account: string
  oauth: Oauth | null
  secrets: string | null
}

export type Provider = {
  kind: 'google' | 'microsoft' | 'other'
  title: string
  issuer: string
  clientId: string
  clientSecret: string | undefined
  scopes: readonly string[]
  grant: 'authorization_code' | 'client_credentials'
}
export type TokenServer = { url: string; secret: string }

/** Whether an account logs in with tokens. */
export const usesOauth = ({ oauth }: Pick<OauthAccount, 'oauth'>) =>
  oauth !== null && oauth !== 'none'

/** Whether its owner has to consent, so that it has tokens. */
export const needsOwner = ({ oauth }: Pick<OauthAccount, 'oauth'>) =>
  oauth === 'google' ||
  oauth === 'microsoft' ||
  (typeof oauth === 'object' &&
    oauth !== null &&
    'issuer' in oauth &&
    oauth.grant !== 'client_credentials')

/**
 * Where the tokens of an account come from.
 * @throws OauthTrouble oauth_unconfigured; SealError.
 */
export function sourceOf(
  { secretKey, oauth: clients }: OauthDeps,
  account: OauthAccount,
): Provider | TokenServer {
  const { oauth } = account
  if (oauth === null || oauth === 'none') throw new OauthTrouble('oauth_unconfigured')
  if (oauth === 'google' || oauth === 'microsoft') {
    const client = clients?.[oauth]
    if (!client) throw new OauthTrouble('oauth_unconfigured')
    const { title, scopes } = oauthProviders[oauth]
    const issuer =
      oauth === 'google'
        ? 'https://accounts.google.com'
        : `https://${microsoftHost}/${clients?.microsoftTenant}/v2.0`
    return { kind: oauth, title, issuer, ...client, scopes, grant: 'authorization_code' }
  }
  const { oauth: secret } = connectionSecrets(secretKey, account)
  if ('tokenServer' in oauth) {
    if (secret === undefined) throw new OauthTrouble('oauth_unconfigured')
    return { url: oauth.tokenServer.url, secret }
  }
  const { hostname, host } = new URL(oauth.issuer)
  return {
    kind: hostname === microsoftHost ? 'microsoft' : 'other',
    title: host,
    issuer: oauth.issuer,
    clientId: oauth.clientId,
    clientSecret: secret,
    scopes: oauth.scopes,
    grant: oauth.grant ?? 'authorization_code',
  }
}

/** A digest of the provider and the client that tokens belong to: it differs for any others, and reveals nothing about them. */
export const settingsOf = (source: Provider | TokenServer): string =>
  createHash('sha256')
    .update(
      JSON.stringify(
        'url' in source ? [source.url] : [source.issuer, source.clientId, source.grant],
      ),
    )
    .digest('base64url')

/** In the body, which all but few providers accept, or else as RFC 6749 has it first. */
const authWith =
  (clientSecret: string): ClientAuth =>
  (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_post']
    const auth = methods.includes('client_secret_post') ? ClientSecretPost : ClientSecretBasic
    return auth(clientSecret)(server, ...rest)
  }

// How far the clock of a provider, or ours, may be off when it says who has consented.
const clockToleranceSeconds = 300
const keepMs = 60 * 60 * 1000
const mostKept = 200
const known = new Map<string, { found: Promise<Configuration>; until: number }>()

/**
 * The provider's addresses, as it publishes them (OpenID Connect Discovery); kept for an hour.
 * @throws OauthTrouble oauth_unreachable, oauth_error.
 */
export async function configurationOf(
  provider: Provider,
  allowPrivate: boolean,
): Promise<Configuration> {
  const { issuer, clientId, clientSecret } = provider
  const isPublic = !mayStayPrivate(issuer, allowPrivate)
  const key = createHash('sha256')
    .update(JSON.stringify([issuer, clientId, clientSecret, isPublic]))
    .digest('base64url')
  const kept = known.get(key)
  if (kept && kept.until > Date.now()) return kept.found
  const found = discovery(
    new URL(issuer),
    clientId,
    { [clockTolerance]: clockToleranceSeconds },
    clientSecret === undefined ? undefined : authWith(clientSecret),
    {
      [customFetch]: boundedFetch(isPublic),
      timeout: 7,
      // The operator's file accepts http for this machine alone.
      ...(issuer.startsWith('http:') && { execute: [allowInsecureRequests] }),
    },
  )
  setNewest(known, key, { found, until: Date.now() + keepMs }, mostKept)
  try {
    return await found
  } catch (error) {
    known.delete(key)
    throw error
  }
}
