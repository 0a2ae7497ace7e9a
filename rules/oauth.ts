// What is known of the two large providers, so that an operator's file names them by a word.

export const oauthProviders = {
  // https://developers.google.com/workspace/gmail/imap/imap-smtp
  google: {
    title: 'Google',
    smtp: { host: 'smtp.gmail.com', port: 465, secure: true },
    // Gmail puts into Sent what is sent over SMTP.
    imap: { host: 'imap.gmail.com', port: 993, secure: true, filesSent: true },
    scopes: ['openid', 'email', 'https://mail.google.com/'],
  },
  // https://learn.microsoft.com/exchange/client-developer/legacy-protocols/how-to-authenticate-an-imap-pop-smtp-application-by-using-oauth
  microsoft: {
    title: 'Microsoft',
    smtp: { host: 'smtp.office365.com', port: 587, secure: false },
    imap: { host: 'outlook.office365.com', port: 993, secure: true, filesSent: true },
    scopes: [
      'openid',
      'email',
      'profile',
      'offline_access',
      'https://outlook.office.com/SMTP.Send',
      'https://outlook.office.com/IMAP.AccessAsUser.All',
    ],
  },
} as const

export type OauthProvider = keyof typeof oauthProviders

export const microsoftHost = 'login.microsoftonline.com'

/** What a provider says of the person who has consented. */
export type Claims = Record<string, unknown>

/**
 * The addresses that a provider vouches for. An e-mail address counts unless it is said not to be verified. Where there is
 * none, and at Microsoft, which verifies no `email`, it is the name that the person logs in with.
 */
export function addressesIn(claims: Claims, isMicrosoft: boolean): string[] {
  const { email, email_verified: verified } = claims
  const isVerified = verified === undefined || verified === true || verified === 'true'
  const names = [claims['preferred_username'], claims['upn']]
  const told = isMicrosoft || email === undefined ? names : isVerified ? [email] : []
  return told.flatMap((one) =>
    typeof one === 'string' && one.includes('@') ? [one.trim().toLowerCase()] : [],
  )
}

/**
 * Who has consented, as Microsoft names them for ever: the tenant and the object in it. The name that somebody logs in with may be
 * given to somebody else later, in the same tenant or in another one that `common` lets in
 * (https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference).
 */
export function ownerIn({ tid, oid }: Claims): string | undefined {
  return typeof tid === 'string' && typeof oid === 'string' ? `${tid}/${oid}` : undefined
}

/** How an account gets its tokens, as the operator's file says. */
type Means =
  | OauthProvider
  | 'none'
  | { issuer: string; clientId: string }
  | { tokenServer: { url: string } }
  | null

/** Where an account gets its tokens. */
export function tokensFrom(oauth: Means | undefined): string | undefined {
  if (oauth === 'google') return 'accounts.google.com'
  if (oauth === 'microsoft') return microsoftHost
  if (typeof oauth !== 'object' || oauth === null) return undefined
  return new URL('issuer' in oauth ? oauth.issuer : oauth.tokenServer.url).host
}

/** What is wrong with an account and where, for the sentences that operators read. `word` is the other side's own. */
export const whyOf = (code: string, word: string | undefined, at: string | undefined): string =>
  `${code}${word ? `, ${word}` : ''}${at ? ` at ${at}` : ''}`

/** What an operator has to do about an account that gets no token, as a sentence; undefined where it passes by itself. */
export function whatToDo(
  code: string,
  { id, oauth }: { id: string; oauth?: Means | undefined },
  process: 'worker' | 'API' = 'worker',
): string | undefined {
  if (!oauth || oauth === 'none') return undefined
  const isServer = typeof oauth === 'object' && 'tokenServer' in oauth
  if (code === 'consent_needed')
    return `Its owner has to consent: npm run -s connect -- ${id} prints a link for them.`
  if (code === 'oauth_unconfigured' && typeof oauth === 'string') {
    const prefix = `OAUTH_${oauth.toUpperCase()}_CLIENT`
    return `${prefix}_ID and ${prefix}_SECRET are not set in the environment of the ${process}.`
  }
  if (code === 'oauth_unconfigured') return 'Its secret is missing: apply the workspace file again.'
  if (code === 'oauth_refused')
    return isServer
      ? 'The token server says that it has no token for this account.'
      : 'The provider refuses the client or what it asks for: look at its id, its secret, which may have expired, and its permissions.'
  if (code === 'oauth_error')
    return isServer
      ? 'The answer of the token server is not understood: it has to be JSON with accessToken, and expiresAt as a timestamp such as 2026-11-23T10:00:00Z.'
      : 'The answer of the provider is not understood: look at issuer in the workspace file.'
  if (code === 'smtp_login_refused' || code === 'imap_login_refused')
    return `The mail server refuses a fresh token too: ${code.slice(0, 4).toUpperCase()} may be off for this mailbox, or its scopes do not allow it.`
  return undefined
}
