import { addressesIn, idsIn } from './addresses.ts'
import { reasonIn } from './diagnosis.ts'
import { failures } from './families/failures.ts'
import { cuts, delays, ends, holds, opens, successes } from './families/index.ts'
import { folded, hasOne, listed } from './phrases.ts'
import { codesIn, repliesIn } from './status.ts'
import { isTitleOfBounce } from './titles.ts'

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
  const words = folded(`${subject}\n${said}`)
  const hasEnded = hasOne(words, ends)
  if (hasOne(words, delays) && !hasEnded) return 'delayed'
  if (hasOne(words, successes) && !hasEnded) return 'delivered'
  if (hasOne(words, holds) && !hasEnded && codesIn(said).length === 0) return 'held'
  if (opensIn(words) || hasOne(words, failures)) return 'failed'
  return undefined
}

/** Whether folded words have a phrase of a server, which may have put an address into the middle of it. */
const opensIn = (words: string): boolean =>
  hasOne(words, opens) ||
  (words.includes('@') && hasOne(words.split(' ').filter(isNoAddress).join(' '), opens))
const isNoAddress = (word: string) => !word.includes('@')

const beginning = 700
const opening = 80

// Servers that begin as people do.
const introductions =
  /^hi[.!,] this is the (?:qmail-send program|mailer-daemon|james mail server|mail server|haraka mailer program|program)\b|^hi[.!,] i am the (?:fml )?(?:ml|mailing list) manager\b/
// How people begin a mail.
const greeting =
  /^(?:hi|hello|hey|dear|good (?:morning|day|afternoon|evening)|greetings|hallo|guten|sehr geehrte|liebe[rs]?|bonjour|salut|cher|chère|madame|monsieur|hola|buen[oa]s?|estimad[oa]|ciao|salve|buon|gentile|egregi|ol[áa]|bom dia|boa tarde|prezad[oa]|car[oa]|beste|geachte|goedemorgen|goedendag|dag|dzień dobry|witam|szanown|cześć|お世話|こんにちは|.{1,20}(?:様|さん)[\s、])/

/** What servers say is not delivered; people speak of goods in the same words. */
const mails =
  listed(`mail | message | recipient | nachricht | empfänger | courriel | destinataire | mensaje | correo | destinatari
  messaggio | mensagem | bericht | geadresseerde | wiadomoś | adresat | zpráv | správ | meddeland | melding | besked | viesti
  üzenet | ileti | e-posta | письм | сообщени | повідомлен | メール | メッセージ | 邮件 | 郵件 | 메일 | 메시지`)

/**
 * Whether mail whose sender does not look like a server is a bounce all the same: it has a server's own words where a mail
 * begins, and either a server's subject, the letter that it returns, or nothing before them. A person who quotes a bounce
 * answers or forwards it, or says something first.
 */
export function looksReturned(
  subject: string,
  said: string,
  { sender = '', returnsOurs = false }: { sender?: string; returnsOurs?: boolean } = {},
): boolean {
  // What is quoted is somebody else's.
  const own = said
    .slice(0, 8_000)
    .split('\n')
    .filter((line) => !/^\s{0,9}>(?!>)/.test(line))
    .join('\n')
  const words = folded(own).trim()
  if (introductions.test(words)) return true
  if (greeting.test(words)) return false
  const begins = words.slice(0, beginning)
  const states = codesIn(own).length > 0 || repliesIn(own).length > 0
  const names = addressesIn(own).length > 0
  const opensSo = opensIn(begins)
  if (states && names && opensIn(words.slice(0, opening))) return true
  if (returnsOurs)
    return opensSo || (names && hasOne(words, failures) && (states || reasonIn(own) !== undefined))
  if (!isTitleOfBounce(subject)) return false
  // A person who writes about a delivery may have their own address, or that of a colleague, on a line of its own.
  const host = sender.slice(sender.lastIndexOf('@')).toLowerCase()
  const stands = [...own.slice(0, beginning).toLowerCase().matchAll(aloneOnLine)].some(
    ([, address = '']) => host === '' || !address.endsWith(host),
  )
  if (opensSo && (states || hasOne(begins, mails))) return true
  return names && hasOne(words, failures) && (states || stands)
}

// Where servers put the recipient: at the beginning of a line, behind a label, or in the command that was refused.
const atLineStart =
  /^[ \t]{0,20}(?:[-*•>]{1,5}[ \t]{0,9})?<?([^\s<>"';,:()]{1,64}@[^\s<>"';,:()]{1,190}?)>?[ \t]{0,9}(?=[:(\s,;.]|$|\.\.\.)/gm
const behindLabel =
  /(?:recipients?(?: address)?|rcpt to|addressed to|to|user|userid|address|destinataire|empfänger|destinatario|destinatário|geadresseerde|adresat|宛先)[ \t]{0,9}[:：=][ \t]{0,20}(?:rfc822;|smtp:)?[ \t]{0,9}<?([^\s<>"';,:()]{1,64}@[^\s<>"';,:()]{1,190})/gi

const aloneOnLine = /^[ \t]{0,20}<?([^\s<>"';,:()@]{1,64}@[^\s<>"';,:()@]{1,190})>?[ \t]{0,9}$/gm

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

/** The answers of other servers in a notice: the lines that have a code. */
export function answersIn(said: string): string {
  const all = said.split('\n').map((line) => line.trim())
  const answers = all.flatMap((line, at) =>
    codesIn(line).length > 0 || repliesIn(`\n${line}`).length > 0 ? [at] : [],
  )
  // An answer may go on on the next line.
  return [...new Set(answers.slice(0, 50).flatMap((at) => [at, at + 1]))]
    .map((at) => all[at] ?? '')
    .join('\n')
}
