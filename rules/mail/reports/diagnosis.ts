import { hasOne, listed, oneLine } from '../phrases.ts'
import { patterns, reasons, refusals } from './reasons.ts'
import { codeOfReply, codesIn, inClass, isBare, isPermanent, repliesIn } from './status.ts'

// Why a letter could not be delivered, from the words of a server.

/** Says only that it has failed for good. */
const forGood =
  listed(`permanent error | permanent failure | permanent fatal | failed permanently | permanently rejected
  i've given up`)

const longest = 64 * 1024

// A subject that servers give to every bounce, and what InterMail supposes of a server that does not answer, give no reason.
const idle = ['mail system error', 'does not have a mail system running']
const withoutIdle = (words: string) => idle.reduce((all, one) => all.replaceAll(one, ' '), words)

export type Diagnosis = { code: string | null; permanent: boolean }

/** The code that words alone give, in the class 5 unless the reason is one that passes. A person may have written them. */
export const reasonIn = (text: string): string | undefined => reasonOf(text, false)

/** The same in the words of a server, which has more reasons. */
export const reasonOfServer = (text: string): string | undefined => reasonOf(text, true)

// Somebody may be called spambee or blocked.
const address = /[\w.!#$%&*+/=?^`~-]{1,250}@[\w.-]{1,190}/g
// What T-Online says to those whom it does not believe.
const ofTOnline = /^tosa@rx\./i
const withoutAddresses = (text: string) =>
  text.replace(address, (found) => (ofTOnline.test(found) ? found : 'x@x'))

function reasonOf(text: string, isOfServer: boolean): string | undefined {
  const said = withoutAddresses(text.slice(0, longest))
  // SurgeMail joins the words of other servers with underscores.
  const words = withoutIdle(oneLine(said).replaceAll('_', ' '))
  const counts = ([, , of]: readonly [unknown, unknown, 'of servers'?]) => isOfServer || !of
  return (
    reasons.find((one) => counts(one) && hasOne(words, one[1]))?.[0] ??
    patterns.find((one) => counts(one) && one[1].test(words))?.[0] ??
    (hasOne(words, forGood) ? '5.0.0' : undefined)
  )
}

// Postfix, Exim and Sendmail say which command a server refused. One that refuses another than RCPT does not speak of an address.
const elsewhere =
  /\bin reply to (?:the )?(?:mail from|end of data|data|helo|ehlo)\b|\bafter (?:(?:pipelined|sending) )?(?:mail from|end of data|data block|data|initial connection|helo|ehlo)\b|\brefused to talk to me\b|^>>> (?:mail from[^\n]{0,400}|data|\.)\n<<< 5/im
/** How a text says that a server refused the sender, the connection or the mail itself; undefined if it does not. */
export const refusedIn = (text: string): string | undefined =>
  elsewhere.exec(text.slice(0, longest))?.[0]

// A server whose mailbox is full, or which takes the mail for spam, may well give the code of an unknown user.
const passing = ['5.2.2', '4.7.1', '5.3.4', '5.7.26']

/**
 * What a server said about one recipient. `stated` is the status that it gave on its own, `texts` its words, the closest to the
 * recipient first. A code that says something counts before words; words count before a bare 5.0.0 and before a reply code.
 */
export function diagnose(stated: string | undefined, texts: string[]): Diagnosis {
  const told = texts.map(reasonOfServer)
  const first = told.find((one) => one !== undefined)
  const words = isUntold(first) && texts.some(refuses) ? '5.7.1' : first
  const read = { nearest: told[0], words }
  const code = codeOf(stated, texts, read)
  return { code, permanent: isForGood(code, texts, read) }
}

/** The codes that words give: those closest to the recipient, and all of them together. */
type Read = Record<'nearest' | 'words', string | undefined>

function codeOf(
  stated: string | undefined,
  texts: string[],
  { nearest, words }: Read,
): string | null {
  const given = [stated, ...texts.flatMap((text) => codesIn(text).filter(isBad))].filter(
    (code) => code !== undefined,
  )
  const replies = texts.flatMap(repliesIn)
  // A transcript also names attempts that passed.
  const reply = replies.find((one) => one[0] === '5') ?? replies[0]
  const bare = given[0]
  // Google gives a domain that does not exist the status of a failure that may pass.
  const isNowhere = bare === '4.0.0' && reply === undefined && texts.some(noDomain)
  const like = isNowhere ? undefined : (bare ?? reply)
  return (
    otherwiseSaid(stated, texts[0] ?? '', nearest) ??
    given.find((one) => !isBare(one)) ??
    (words === undefined ? undefined : like === undefined ? words : inClass(words, like)) ??
    bare ??
    (reply === undefined ? null : codeOfRefusal(reply, texts))
  )
}

/** A reply to another command than RCPT speaks of no address, whatever it would say there. */
function codeOfRefusal(reply: string, texts: string[]): string {
  const code = codeOfReply(reply)
  return isPermanent(code) && texts.some(refusedIn) ? inClass('5.0.0', code) : code
}

// Some give the code of a mailbox that is away to whoever they do not listen to.
const blamesUs =
  /\byour (?:ip|server|host|mail server|domain)\b[^\n]{0,60}\b(?:black-?listed|block-?listed|blocked|listed|banned)\b/i

function isForGood(code: string | null, texts: string[], { nearest, words }: Read): boolean {
  if (!code?.startsWith('5') || (words !== undefined && passing.includes(words))) return false
  if (texts.some((text) => blamesUs.test(text.slice(0, longest)))) return false
  // A refusal of another command than RCPT, without a reason, does not speak of the address.
  if (isBare(code) && isUntold(words) && texts.some(refusedIn)) return false
  // Next to a code that says something, only the words of the same answer count.
  const near = isBare(code)
    ? words
    : isPolicy(code) && nearest === '5.1.1'
      ? reasonOfServer(withoutRefusal(texts[0] ?? ''))
      : nearest
  return isPermanent(code) || (near !== undefined && isPermanent(near))
}

const isPolicy = (code: string) => code.startsWith('5.7.')
// What Postfix and qmail put before any reason for which a recipient is refused, unless that is a single word.
const recipientRefused =
  /\b(?:recipient address rejected|recipient rejected|rejected recipient|address rejected|does not like recipient)\b(?!:\s{0,9}(?:un(?:known|deliverable)|in(?:valid|active)|not found|no such|does not exist|disabled)\b)/gi
const withoutRefusal = (text: string) => text.slice(0, longest).replace(recipientRefused, ' ')

const isUntold = (reason: string | undefined) => reason === undefined || reason === '5.0.0'

const refuses = (text: string) => {
  const words = oneLine(text.slice(0, longest))
  return refusals.some((pattern) => pattern.test(words))
}

const noDomain = (text: string) => /\bNXDOMAIN\b|\bdomain name not found\b/i.test(text)

/**
 * The code that another server gave, where its words say the same: some put into the status that they state what they make of it,
 * such as that there is no route.
 */
function otherwiseSaid(
  stated: string | undefined,
  text: string,
  reason: string | undefined,
): string | undefined {
  const [code] = codesIn(text)
  const differs = stated !== undefined && code !== undefined && code !== stated
  return differs && isBad(code) && code[0] === stated[0] && reason === code ? code : undefined
}

/** A letter that did not arrive, for no reason that anybody could read: the address may work all the same. */
export const asFailure = ({ code, permanent }: Diagnosis, tells: string | undefined): Diagnosis =>
  code === null && tells === 'failed' ? { code: '5.0.0', permanent: false } : { code, permanent }

const isBad = (code: string) => !code.startsWith('2')
