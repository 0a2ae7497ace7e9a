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
