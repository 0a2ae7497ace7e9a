import { hasOne, oneLine } from '../phrases.ts'
import { addressesIn, idsIn } from './addresses.ts'
import { failures } from './failures.ts'
import {
  cuts,
  delays,
  ends,
  finals,
  holds,
  opens,
  passesOnBounce,
  retries,
  successes,
} from './families.ts'
import { codesIn, repliesIn } from './status.ts'

// A bounce in words: what the server says, and what follows it of the letter that it returns.

export type Notice = {
  /** What the server says, without the returned letter. */
  said: string
  /** The returned letter or its head, as far as the mail has it as text. */
  original: string
}

// A server says in a few hundred words what it has to say; the returned letter may be long.
const longest = 64 * 1024
const head =
  /^(?:received|return-path|dkim-signature|arc-seal|x-originating-ip|mime-version)[ \t]{0,9}:/i
const maxLines = 2_000

export function readNotice(text: string): Notice {
  const notice = divided(text)
  if (!oneLine(notice.said.slice(0, 2_000)).includes(passesOnBounce)) return notice
  const bounce = notice.original.slice(Math.max(0, notice.original.search(/^[\w-]{2,40}:/m)))
  const at = bounce.search(/\n[ \t]{0,9}\n/)
  if (at < 0) return notice
  const inner = divided(bounce.slice(at))
  return { said: `${notice.said}\n${inner.said}`, original: inner.original }
}

function divided(text: string): Notice {
  const all = text.slice(0, longest).split(/\r\n|[\r\n]/, maxLines)
  const begins = all.findIndex((line, at) => {
    if (at === 0) return false
    if (head.test(line)) return true
    const bare = line.slice(0, 120).trim().toLowerCase()
    return bare !== '' && cuts.some((cut) => bare.startsWith(cut))
  })
  // A server that says nothing before its copy of the letter says it afterwards.
  const said = begins < 0 ? all : all.slice(0, begins)
  const rest = begins < 0 ? [] : all.slice(begins)
  return { said: said.join('\n'), original: rest.join('\n') }
}

/**
 * What a server says: that it could not deliver, that it still tries, that it has delivered, or that it waits for somebody to
 * agree; nothing if it says none of these.
 */
export function tellsIn(
  subject: string,
  said: string,
): 'failed' | 'delayed' | 'delivered' | 'held' | undefined {
  const words = oneLine(`${subject}\n${said}`)
  if (stillTries(oneLine(said))) return 'delayed'
  const hasEnded = hasOne(words, ends)
  if (hasOne(words, delays) && !hasEnded) return 'delayed'
  if (!hasEnded && succeeds(words)) return 'delivered'
  if (hasOne(words, holds) && !hasEnded && codesIn(said).length === 0) return 'held'
  if (opensIn(words) || hasOne(words, failures)) return 'failed'
  return undefined
}

/** Whether a server says that it goes on, though its subject or its words are those of a failure. */
const stillTries = (words: string) => hasOne(words, retries) && !hasOne(words, finals)

// "Could not be delivered successfully" is no success.
const denial = /(?<!\p{L})(?:not|never|nicht|pas|no|non|não|niet|nie|не|unable|failed|未)(?!\p{L})/u
const nearest = 40
/** Whether a folded text denies what follows it. */
export const denies = (before: string): boolean => denial.test(before.slice(-nearest))
const succeeds = (words: string): boolean =>
  successes.some((one) => {
    const at = words.indexOf(one)
    return at >= 0 && !denies(words.slice(0, at))
  })

/** Whether folded words have a phrase of a server, which may have put an address into the middle of it. */
export const opensIn = (words: string): boolean =>
  hasOne(words, opens) ||
  (words.includes('@') && hasOne(words.split(' ').filter(isNoAddress).join(' '), opens))
const isNoAddress = (word: string) => !word.includes('@')

// Where servers put the recipient: at the beginning of a line, behind a label, or in the command that was refused.
const atLineStart =
  /^[ \t]{0,20}(?:[-*•>]{1,5}[ \t]{0,9})?<?([^\s<>"';,:()]{1,250}@[^\s<>"';,:()]{1,190}?)>?[ \t]{0,9}(?=[:(\s,;.]|$|\.\.\.)/gm
const behindLabel =
  /(?:recipients?(?: address)?|rcpt to|addressed to|to|user|userid|address|destinataire|empf(?:ä|ae)nger|destinatario|destinatário|geadresseerde|adresat|宛先)[ \t]{0,9}[:：=][ \t]{0,20}(?:rfc822;|smtp:)?[ \t]{0,9}<?([^\s<>"';,:()]{1,250}@[^\s<>"';,:()]{1,190})/gi

const maxRecipients = 100

/** The recipients that a notice names, the likeliest first, without addresses that servers name for other reasons. */
export function recipientsIn({ said }: Notice, others: (address: string) => boolean): string[] {
  const found = [atLineStart, behindLabel].flatMap((pattern) =>
    [...said.matchAll(pattern)].flatMap((match) => addressesIn(match[1] ?? '')),
  )
  const ids = new Set(idsIn(said).map((id) => id.slice(1, -1)))
  return [...new Set([...found, ...addressesIn(said)])]
    .filter((address) => !ids.has(address) && !others(address))
    .slice(0, maxRecipients)
}

const address = '<?([^\\s<>"\';,:()@]{1,250}@[^\\s<>"\';,:()@]{1,190})>?'
const derived = new RegExp(
  `${address}[ \\t]{0,9}(?:\\n[ \\t]{0,20}\\(reason: [^\\n]{0,500})?\\n?[ \\t]{0,20}\\((?:ultimately )?(generated|expanded) from:?[ \\t]{0,9}${address}\\)`,
  'gi',
)
/** Where a server has an address from that it could not deliver to. */
export type Origin = {
  /** The one that the letter was sent to. */
  address: string
  /** It stands for several, so that it may work where one of them does not. */
  isList: boolean
}

/** The addresses that a letter was sent to, by those that a server made of them and could not deliver to. */
export const originsIn = (said: string): Map<string, Origin> =>
  new Map(
    [...said.matchAll(derived)].map(([, made = '', how = '', address = '']) => [
      made.toLowerCase(),
      { address, isList: how.toLowerCase() === 'expanded' },
    ]),
  )

const longestAnswer = 5
/** The answers of other servers in a notice: the lines that have a code. */
export function answersIn(said: string): string {
  const all = said.split('\n')
  const answers = all.flatMap((line, at) =>
    codesIn(line).length > 0 || repliesIn(`\n${line.trim()}`).length > 0 ? [at] : [],
  )
  return [...new Set(answers.slice(0, 50).flatMap((at) => linesOf(all, at)))]
    .map((at) => (all[at] ?? '').trim())
    .join('\n')
}

// It is indented, and no next recipient.
const goesOn = /^[ \t]{2,20}(?!<?[^\s<>@]{1,250}@[^\s<>@]{1,190}$)\S/
/** An answer may go on on the next line, and on those behind it that are indented as well. */
function linesOf(all: string[], from: number): number[] {
  const next = all.slice(from + 1, from + longestAnswer)
  const ends = next.findIndex((line) => !goesOn.test(line.trimEnd()))
  const more = Math.max(1, ends < 0 ? next.length : ends)
  return Array.from({ length: 1 + more }, (_, place) => from + place)
}
