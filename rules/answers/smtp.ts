import { hasOne, oneLine } from '../mail/phrases.ts'
import { restCauses, type SmtpCause, type Until } from './causes.ts'
import * as say from './smtp-words.ts'

// What an answer of a mail server means: who is concerned, and why. The stage of the dialogue, the reply code (RFC 5321), the
// enhanced status code (RFC 2034, 3463 and 5248) and the words are looked at together, because providers give the same cause
// under different codes, for now (4xx) or for good (5xx), and wrong enhanced codes beside right words.

/** How far the dialogue had come; `dot` is the end of the letter. */
export type Stage = 'greeting' | 'login' | 'mail' | 'rcpt' | 'data' | 'dot'

/** Of an answer with several lines, `words` are all of them. */
export type SmtpAnswer = {
  stage: Stage
  code: number
  enhanced?: string | undefined
  words: string
  host?: string | undefined
}

/**
 * recipient, letter: this letter does not go. account: none of the account goes for now. server: it comes back by itself.
 */
export type SmtpMeaning =
  | { concerns: 'account'; cause: SmtpCause; until: Until }
  | { concerns: 'recipient' | 'letter' | 'server'; cause: string }

const longest = 4_000

/** Pure, and linear in the words, of which the beginning counts. */
export function meaningOfSmtp({ stage, code, enhanced, words, host }: SmtpAnswer): SmtpMeaning {
  const text = textOf(words, host)
  // Many write their language in ASCII.
  const plain = withoutAccents(text)
  const has = (phrases: readonly string[]) =>
    hasOne(text, phrases) || hasOne(plain, phrases.map(withoutAccents))
  // Until a recipient is named, nothing can concern one.
  const isEarly = stage === 'greeting' || stage === 'login' || stage === 'mail'
  const isForGood = code >= 500

  if (enhanced === '5.6.7' || enhanced === '5.3.4' || (has(say.ofSize) && !has(say.sendings)))
    return isEarly && stage !== 'mail' ? server : letter
  if (!isEarly && has(say.ofRecipient)) return recipient
  if (has(say.ofSession)) return server
  if (has(say.tooManySessions)) return account('smtp_sessions')
  const known = accountCodes.find(([pattern]) => enhanced && pattern.test(enhanced))?.[1]
  if (known) return account(known)
  const spent = causeOfLimit(has, isEarly, isForGood)
  if (spent) return account(spent)
  const right = causeOfRight(has, { stage, isEarly, isForGood, code })
  if (right) return account(right)
  return isForGood ? byStage(stage, code, enhanced) : server
}

const account = (cause: SmtpCause): SmtpMeaning => ({
  concerns: 'account',
  cause,
  until: restCauses[cause],
})
const recipient: SmtpMeaning = { concerns: 'recipient', cause: 'refused' }
const letter: SmtpMeaning = { concerns: 'letter', cause: 'refused' }
const server: SmtpMeaning = { concerns: 'server', cause: 'smtp_deferred' }

type Has = (phrases: readonly string[]) => boolean

/** A quota or a rate of the account. Where the words name no time, a refusal for good means a day, and one for now less. */
function causeOfLimit(has: Has, isEarly: boolean, isForGood: boolean): SmtpCause | undefined {
  const isLimit = has(say.limits) && has(say.exceeded) && (isEarly || has(say.sendings))
  if (!isLimit && !has(say.tooFast)) return undefined
  if (has(say.unpaid) && !has(say.ofDays) && !has(say.ofHours)) return 'smtp_unpaid'
  if (has(say.ofDays) && !(has(say.ofHours) && !has(daily))) return 'smtp_quota'
  if (has(say.ofHours) || !isLimit) return 'smtp_rate'
  return isForGood ? 'smtp_quota' : 'smtp_rate'
}
// "Quota" alone may be one of an hour.
const daily = say.ofDays.filter((one) => one !== 'quota' && one !== 'credits')

// Other letters are about payments too.
const mine = ['your ', 'account']

type At = { stage: Stage; isEarly: boolean; isForGood: boolean; code: number }

/** What the account may not do, or not any more. */
function causeOfRight(has: Has, { stage, isEarly, isForGood, code }: At): SmtpCause | undefined {
  if (stage !== 'greeting' && has(say.stopped))
    return has(say.unpaid) ? 'smtp_unpaid' : 'smtp_disabled'
  if ((isEarly || (stage !== 'rcpt' && has(mine))) && has(say.unpaid)) return 'smtp_unpaid'
  if (isEarly && stage !== 'greeting' && has(say.disabled)) return 'smtp_disabled'
  if (stage === 'login') return isForGood ? 'smtp_login_refused' : undefined
  if (code === 530 || code === 535 || code === 538) return 'smtp_login_refused'
  if (stage === 'greeting') return undefined
  if (has(say.notAsSender) && (stage === 'mail' || !has(say.toRecipient)))
    return isForGood || code < 421 ? 'smtp_sender_refused' : undefined
  return isForGood && has(say.loginWanted) ? 'smtp_login_refused' : undefined
}

/** A refusal for good that says nothing that is understood. */
function byStage(stage: Stage, code: number, enhanced: string | undefined): SmtpMeaning {
  if (stage === 'greeting') return server
  // A parameter of MAIL is one of the letter: its size (RFC 1870), or an address beyond ASCII (RFC 6531).
  if (stage === 'mail' && (code === 552 || code === 555 || code === 501)) return letter
  if (stage === 'mail')
    return account(
      code === 553 || enhanced?.startsWith('5.7.') || enhanced?.startsWith('5.1.')
        ? 'smtp_sender_refused'
        : 'smtp_refusing',
    )
  return stage === 'rcpt' ? recipient : letter
}

const withoutAccents = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '')

/** Addresses and the name of the server say nothing: somebody may be called daily@quota.example. */
function textOf(words: string, host: string | undefined): string {
  const text = oneLine(words.slice(0, longest)).replace(address, ' x@x ')
  return host ? text.replaceAll(host.toLowerCase(), ' ') : text
}
const address = /[\w.!#$%&*+/=?^`~-]{1,250}@[\w.-]{1,190}/g

// Enhanced status codes that providers give to what concerns the account, whatever they say beside them. Codes that several
// providers use in different ways are left to the words.

type Row = [code: RegExp, cause: SmtpCause]

export const accountCodes: Row[] = [
  // Gmail: the daily limit of a user (support.google.com/a/answer/3726730). Of others, 4.4.5 is a busy server (RFC 3463).
  [/^5\.4\.5$/, 'smtp_quota'],
  // Exchange Online: recipients a day of a mailbox, of a tenant on trial, of a tenant.
  [/^5\.1\.90$/, 'smtp_quota'],
  [/^5\.7\.23[23]$/, 'smtp_quota'],
  // Exchange: no right to send as this sender.
  [/^5\.7\.60$/, 'smtp_sender_refused'],
  [/^5\.2\.252$/, 'smtp_sender_refused'],
  // Exchange Online: a domain that is not registered with the tenant.
  [/^5\.7\.750$/, 'smtp_sender_refused'],
  // RFC 5248 and RFC 3463: a sender's address or system that is not valid.
  [/^5\.1\.7$/, 'smtp_sender_refused'],
  // RFC 7372 and RFC 7489 as Gmail uses it: the domain of the sender does not authenticate the letter.
  [/^5\.7\.2[67]$/, 'smtp_sender_refused'],
  // Exchange Online: SMTP AUTH is off for the mailbox or for the tenant.
  [/^5\.7\.57$/, 'smtp_disabled'],
  [/^5\.7\.139$/, 'smtp_disabled'],
  // Exchange Online: what the tenant sends is blocked ("fix error codes 5.7.700 through 5.7.750").
  [/^5\.7\.7(?:0[058]|[1-4]\d)$/, 'smtp_disabled'],
  // Exchange Online: spam of this account was detected.
  [/^5\.7\.50[1-3]$/, 'smtp_disabled'],
  // Exchange Online slows a sender down.
  [/^4\.7\.5\d\d$/, 'smtp_rate'],
]
