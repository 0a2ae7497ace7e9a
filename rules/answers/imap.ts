import { hasOne, listed, oneLine } from '../mail/phrases.ts'
import { type ImapCause, restCauses, type Until } from './causes.ts'

// What a NO, a BAD or a BYE of an IMAP server means: who is concerned, and why. Response codes are those of RFC 5530 and RFC
// 9051, and those that providers have made.

export type ImapAnswer = {
  /** In capital letters; `BYE` for one that nobody asked for, and `GREETING` for the first. */
  verb: string
  /** The response code, such as AUTHENTICATIONFAILED, without its arguments. */
  code?: string | undefined
  words: string
  /** Whether the login had succeeded before. */
  loggedIn: boolean
}

/**
 * account: nothing of the account is read for now. server: it comes back by itself. mailbox: this folder or mail alone; the
 * others go on.
 */
export type ImapMeaning =
  | { concerns: 'account'; cause: ImapCause; until: Until }
  | { concerns: 'server' | 'mailbox'; cause: string }

const codes: Record<string, ImapCause> = {
  // RFC 5530.
  AUTHENTICATIONFAILED: 'imap_login_refused',
  AUTHORIZATIONFAILED: 'imap_login_refused',
  EXPIRED: 'imap_login_refused',
  PRIVACYREQUIRED: 'imap_login_refused',
  CONTACTADMIN: 'imap_login_refused',
  LIMIT: 'imap_too_many_sessions',
  UNAVAILABLE: 'imap_unavailable',
  INUSE: 'imap_unavailable',
  // Gmail and Yahoo.
  THROTTLED: 'imap_throttled',
  OVERQUOTA: 'imap_bandwidth',
  ALERT: 'imap_login_refused',
  WEBALERT: 'imap_login_refused',
}

const sessions =
  listed(`too many simultaneous | too many connections | too many concurrent | too many sessions | too many open
  too many logins | number of connections | number of simultaneous | simultaneous connections | concurrent connections
  concurrent sessions | connection limit | connections exceeded | session limit | mail_max_userip_connections
  maximum number of | zu viele verbindungen | gleichzeitige | trop de connexions | demasiadas conexiones | troppe connessioni`)
const bandwidth =
  listed(`bandwidth | command or bandwidth | download limit | exceeded its download | exceeded command
  data limit | traffic limit | over quota | daily limit | bandbreite`)
const throttled =
  listed(`throttl | slow down | too many requests | too many commands | rate limit | ratelimit | too fast | too frequent
  try again later | temporarily blocked | backoff | suspended for`)
const passing =
  listed(`temporarily | temporary | internal | unavailable | server error | server busy | busy
  backend | try again | timeout | timed out | maintenance | wartung | shutting down | shutdown | disconnected for inactivity
  autologout | idle for too long | connection closed | overload`)

/** Pure, and linear in the words, of which the beginning counts. */
export function meaningOfImap({ verb, code, words, loggedIn }: ImapAnswer): ImapMeaning {
  const text = oneLine(words.slice(0, longest))
  const has = (phrases: readonly string[]) => hasOne(text, phrases)
  // Exchange answers like this while the mailbox behind it is away, and the password is right.
  if (text.includes('not connected')) return account('imap_unavailable')
  const isLogin = !loggedIn && (verb === 'LOGIN' || verb === 'AUTHENTICATE')
  const word = code?.toUpperCase() ?? ''
  if (has(sessions)) return account('imap_too_many_sessions')
  if (
    has(bandwidth) &&
    (!loggedIn || verb === 'BYE' || word === 'THROTTLED' || word === 'OVERQUOTA')
  )
    // Over a quota of storage, an APPEND alone is refused.
    return account('imap_bandwidth')
  if (word === 'THROTTLED' || (has(throttled) && !isCredentials(word)))
    return account('imap_throttled')
  if (isLogin) {
    if (has(passing) && !isCredentials(word)) return account('imap_unavailable')
    return account(codes[word] ?? 'imap_login_refused')
  }
  if (!loggedIn)
    return word in codes && word !== 'ALERT' ? account(codes[word] as ImapCause) : server
  if (verb === 'BYE') return server
  if (word === 'AUTHENTICATIONFAILED' || word === 'EXPIRED') return account('imap_login_refused')
  return { concerns: 'mailbox', cause: word === '' ? 'imap_refused' : word.toLowerCase() }
}

const longest = 4_000
const account = (cause: ImapCause): ImapMeaning => ({
  concerns: 'account',
  cause,
  until: restCauses[cause],
})
const server: ImapMeaning = { concerns: 'server', cause: 'imap_unavailable' }
const isCredentials = (word: string) =>
  word === 'AUTHENTICATIONFAILED' || word === 'AUTHORIZATIONFAILED' || word === 'EXPIRED'
