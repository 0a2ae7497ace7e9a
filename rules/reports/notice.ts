import { addressesIn, idsIn } from './addresses.ts'
import { reasonIn } from './diagnosis.ts'
import { cuts, delays, ends, failures, opens, successes } from './families/index.ts'
import { folded, hasOne } from './phrases.ts'
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

/** What a server says: that it could not deliver, that it still tries, or that it has delivered; nothing if it says neither. */
export function tellsIn(
  subject: string,
  said: string,
): 'failed' | 'delayed' | 'delivered' | undefined {
  const words = folded(`${subject}\n${said}`)
  const hasEnded = hasOne(words, ends)
  if (hasOne(words, delays) && !hasEnded) return 'delayed'
  if (hasOne(words, successes) && !hasEnded) return 'delivered'
  if (hasOne(words, opens) || hasOne(words, failures)) return 'failed'
  return undefined
}

/** Subjects that mail servers give to bounces; a person's answer or forward of one begins with something else. */
const subjects =
  /^\s*(?:\*+\s*)?(?:not member article|undeliver(?:ed|able|d)\b|returned mail\b|failure notice\b|delivery (?:status notification|failure|failed|has failed|report|notification|error|problem)|mail (?:delivery (?:failed|failure|failures|error|problem|status|subsystem)|system error|returned|failure|not delivered|undeliverable)|message (?:delivery fail|undeliver|not delivered|could not be delivered|failure|delivery status)|non-?deliver|nondeliver|e-?mail (?:delivery|undeliver)|could not (?:send|deliver)|unable to deliver|returned to sender|unzustellbar|nicht zustellbar|mail nicht zustellbar|mail failed|zustellungsfehler|fehler bei der|mailzustellung|nachricht nicht zugestellt|benachrichtung zum|benachrichtigung zum übermittlungsstatus|non remis|non distribu|notification d'état de remise|échec de|courrier non|message non|no se pudo entregar|no se puede entregar|notificación de estado|correo no|mensaje no|error de entrega|mancat[ao] |non recapitabile|non consegnat|notifica di mancat|recapito non|não entreg|falha na entrega|notificação de|mensagem não|onbestelbaar|onbezorgbaar|bezorging mislukt|niet bezorgd|niedostarcz|nie można dostarczyć|zwrot|\[postmaster\]|permanent delivery failure|alert - |there was an error sending your mail|(?:mail|message|e-?mail) rejected|ihre (?:nachricht|e-?mail|mail) (?:an .{0,60})?konnte|(?:your )?(?:e-?mail|mail|message)\b[^:]{0,100}?\b(?:(?:could|can) ?not be|was not|not been|has been) (?:delivered|sent|returned|blocked|rejected)|mailmarshal\b|配信不能|配信エラー|配送エラー|送信エラー|недоставлен|не доставлен|сообщение не)/i

const beginning = 700
const opening = 80

// Servers that begin as people do.
const introductions =
  /^hi[.!,] this is the (?:qmail-send program|mailer-daemon|james mail server|mail server|haraka mailer program|program)\b/
// How people begin a mail.
const greeting =
  /^(?:hi|hello|hey|dear|good (?:morning|day|afternoon|evening)|greetings|hallo|guten|sehr geehrte|liebe[rs]?|bonjour|salut|cher|chère|madame|monsieur|hola|buen[oa]s?|estimad[oa]|ciao|salve|buon|gentile|egregi|ol[áa]|bom dia|boa tarde|prezad[oa]|car[oa]|beste|geachte|goedemorgen|goedendag|dag|dzień dobry|witam|szanown|cześć|お世話|こんにちは|.{1,20}(?:様|さん)[\s、])/

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
  const opensSo = hasOne(begins, opens)
  if (states && names && hasOne(words.slice(0, opening), opens)) return true
  if (returnsOurs)
    return opensSo || (names && hasOne(words, failures) && (states || reasonIn(own) !== undefined))
  if (!subjects.test(subject.slice(0, 300))) return false
  // A person who writes about a delivery may have their own address, or that of a colleague, on a line of its own.
  const host = sender.slice(sender.lastIndexOf('@')).toLowerCase()
  const stands = [...own.slice(0, beginning).toLowerCase().matchAll(aloneOnLine)].some(
    ([, address = '']) => host === '' || !address.endsWith(host),
  )
  return opensSo || (names && hasOne(words, failures) && (states || stands))
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
