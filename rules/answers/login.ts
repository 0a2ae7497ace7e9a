import { hasOne, listed, oneLine } from '../mail/phrases.ts'
import type { Provider } from '../servers/providers.ts'
import { wordsToTell } from './told.ts'

// Why a mail server has refused a login, in kinds that its owner can do something about, by what the providers answer to AUTH and
// LOGIN.

/**
 * wrong_password: the user or the password is wrong, as far as the server says. app_password: the provider wants a password made
 * for other programs. consent: it takes no passwords, but the consent of the owner (OAuth 2.0). imap_off, smtp_off: the owner, or
 * an administrator, has to switch that access on. blocked: the account is blocked, or its owner has to log in at the provider in a
 * browser. too_many: too many tries or sessions; it passes. unpaid: it is not paid for. busy: the server cannot check a login at
 * the moment. no_login: it offers no login with a password at all.
 */
export const loginProblems = [
  'wrong_password',
  'app_password',
  'consent',
  'imap_off',
  'smtp_off',
  'blocked',
  'too_many',
  'unpaid',
  'busy',
  'no_login',
] as const
export type LoginProblem = (typeof loginProblems)[number]

// In the order in which they are looked for, because an answer may name several: 534-5.7.9 of Gmail speaks of a password too.
const phrases: readonly (readonly [LoginProblem, readonly string[]])[] = [
  [
    'app_password',
    // Gmail, Apple, mail.ru, Fastmail, QQ, Infomaniak, Zoho, Yandex.
    listed(`application-specific password | app-specific password | invalidsecondfactor | parol prilozheniya
    application password is required | app password | app-password | authorization code | application specific password
    anwendungsspezifisch | mot de passe d'application | contraseña de aplicación | one-time password | пароль приложения`),
  ],
  [
    'consent',
    // Microsoft, Google.
    listed(`basic authentication is disabled | basicauthblocked | basic auth | oauth is required | xoauth2 required
    modern authentication | must use oauth | less secure app`),
  ],
  [
    'smtp_off',
    // Microsoft, Zoho, Yandex, NetEase.
    listed(`smtpclientauthentication is disabled | smtp_auth_disabled | smtp auth is disabled | smtp is disabled
    smtp access is disabled | smtp service is not enabled | not enabled for smtp | authentication not enabled
    smtp not enabled | does not have access rights to this service`),
  ],
  [
    'imap_off',
    // Gmail, Zoho, Yandex, GMX, mail.com, QQ, NetEase, WP.
    listed(`not enabled for imap | enable imap | imap is disabled | imap access is disabled | imap disabled | imap access disabled
    imap service is not | imap is not enabled | imap not enabled | imap access is not | imap4 access disabled
    protocol disabled | protocol is disabled | imap nicht | zugriff über pop3/imap | pop3/imap | service is not open
    imap/smtp service is | not allowed to use imap | imap wyłączon`),
  ],
  [
    'unpaid',
    listed(
      `unpaid | payment | invoice | upgrade your plan | upgrade to | expired subscription | premium | rechnung`,
    ),
  ],
  [
    'too_many',
    // Yahoo, Apple, Gmail, Dovecot.
    listed(`too many | rate limit | ratelimit | temporarily blocked | temporarily locked | throttl | try again later
    slow down | exceeded | zu viele | gleichzeitige | trop de`),
  ],
  [
    'blocked',
    // Gmail, Microsoft, GMX, Yahoo.
    listed(`web login required | log in via your web browser | via your web browser | webalert | accounts.google.com/signin
    account is blocked | account blocked | account is locked | account locked | account disabled | account is disabled
    account has been | user is disabled | user disabled | suspended | deactivated | gesperrt | bloqué | bloquead
    did not meet the criteria | suspicious | verify your account | verify it's you | account inactive | is inactive
    not allowed to login | login is not allowed | blockiert | security violation | conditional access`),
  ],
  [
    'busy',
    listed(`temporary authentication failure | temporary failure | temporarily unavailable | internal error | server error
    server busy | backend | unavailable | maintenance | timeout | timed out | not connected`),
  ],
]

/** What a server has said in answer to a login. `code` is the reply code of SMTP; IMAP has none. */
export type LoginAnswer = { server: 'smtp' | 'imap'; words: string; code?: number | undefined }

const longest = 4_000

/** Pure, and linear in the words, of which the beginning counts. `provider` is whose server it is, if it is known. */
export function loginProblemOf(
  { server, words, code }: LoginAnswer,
  provider?: Pick<Provider, 'appPassword' | 'oauth'>,
): LoginProblem {
  const text = oneLine(words.slice(0, longest))
  // Yandex says both in one answer, of which a wrong password is the more likely.
  const isEither = text.includes('invalid credentials or imap is disabled')
  const named = isEither ? undefined : phrases.find(([, ones]) => hasOne(text, ones))?.[0]
  if (named) return named
  // 4xx says nothing of the password (RFC 4954, 6). Some servers answer so to a wrong one all the same, and say it in words.
  if (code !== undefined && code >= 400 && code < 500 && !hasOne(text, credentials)) return 'busy'
  // 538 and 504: no way of login that the server takes (RFC 4954, 4 and 6).
  if (server === 'smtp' && (code === 504 || code === 538 || code === 502 || code === 503))
    return 'no_login'
  if (provider?.appPassword === 'always') return 'app_password'
  return 'wrong_password'
}

const credentials = listed(
  `username | password | credentials | authentication failed | passwort | kennwort | identifiants`,
)

const mostWords = 200

/**
 * The words of a server in answer to a login, to be shown: on one line, at most 200 characters that print, without the secrets,
 * also as they are encoded for AUTH.
 */
export function loginWords(words: string, secrets: readonly string[]): string {
  const encoded = secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) => [secret, base64(secret), encodeURIComponent(secret)])
    // The longest first, because one may be part of another.
    .sort((a, b) => b.length - a.length)
  let shown = words.slice(0, longest)
  for (const one of encoded) shown = shown.split(one).join('…')
  return wordsToTell(shown, mostWords)
}

const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64')
