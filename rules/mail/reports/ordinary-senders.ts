import { hasOne, listed, oneLine } from '../phrases.ts'
import { addressesIn, hostOf } from './addresses.ts'
import { saysAutomatic } from './automatic-words.ts'
import { reasonIn } from './diagnosis.ts'
import { failures } from './failures.ts'
import { fieldsIn, isOne } from './forms.ts'
import { opensIn } from './notice.ts'
import {
  asks,
  greets,
  speaksAsFirm,
  speaksAsPerson,
  speaksEastern,
  speaksOfItself,
  takesLeave,
  unquoted,
} from './people.ts'
import { codesIn, isPermanent, repliesIn } from './status.ts'
import { isTitleOfBounce, mails } from './titles.ts'

// Bounces under addresses that anybody may have. People write about mail and goods in the words of servers.

const beginning = 700
const opening = 80

// Servers that begin as people do.
const introductions =
  /^hi[.!,] this is the (?:qmail-send program|mailer-daemon|james mail server|mail server|haraka mailer program|(?:deliver |delivery )?program at)\b|^hi[.!,] the mta program at\b|^hi[.!,] i am the (?:fml )?(?:ml|mailing list) manager\b|^(?:hallo|bonjour|hola|ciao|olá)[.!,] (?:hier ist das|ici le|aquí el|aqui o|qui il) program\p{L}{1,3} qmail-send\b/u
/** Whether a text begins as the mail servers do that introduce themselves. */
export const introducesServer = (said: string): boolean =>
  introductions.test(oneLine(unquoted(said)).trim())

// A list asks for confirmations in the same words.
const listProgram = 'hi! this is the ezmlm program'
/**
 * Whether mail whose sender does not look like a server is a bounce all the same: it has a server's own words where a mail
 * begins, and either a server's subject, the letter that it returns, or nothing before them. A person who quotes a bounce
 * answers or forwards it, or says something first.
 */
export function looksReturned(
  subject: string,
  said: string,
  {
    sender = '',
    to = [],
    returnsOurs = false,
    isUnread = false,
    isMarked = false,
    isOfService = false,
  }: Envelope = {},
): boolean {
  const own = unquoted(said)
  const words = oneLine(own).trim()
  if (introductions.test(words)) return true
  if (words.startsWith(listProgram) && hasOne(words.slice(0, beginning), failures)) return true
  if (forwards(own)) return false
  const isAutomatic = saysAutomatic(own.slice(0, 4_000))
  // A program that nobody answers may greet as people do, and so may one that says so twice; one that says so itself may ask.
  if (greets(own, to) && !isUnread && !(isAutomatic && isMarked)) return false
  const isImpersonal = isUnread || isAutomatic
  // Who asks, and then shows what came back, is a person.
  if (!isImpersonal && /\?(?!\S)|？/.test(leadOf(own))) return false
  const begins = words.slice(0, beginning)
  const states = codesIn(own).length > 0 || repliesIn(own).length > 0
  const names = addressesIn(own).length > 0
  const opensSo = opensIn(begins)
  if (states && names && opensIn(words.slice(0, opening))) return true
  if (returnsOurs)
    return opensSo || (names && hasOne(words, failures) && (states || reasonIn(own) !== undefined))
  const isTitled = isTitleOfBounce(subject)
  if (
    saysOfMail({ subject, own, words, isTitled, isImpersonal, isOfService, ours: [sender, ...to] })
  )
    return true
  if (!isTitled) return false
  const isOfMail = hasOne(begins, mails)
  // Servers write "I'm sorry", so that alone says nothing next to the words of one.
  if (opensSo && (states || isOfMail)) return !speaksEastern(begins)
  // A person who writes about a delivery may name a code, and have an address on a line of its own, of their firm or of a carrier.
  const start = own.slice(0, beginning).toLowerCase()
  if (speaksOfItself(start) || speaksEastern(start)) return false
  if (names && states && hasOne(words, failures)) return true
  if (!isOfMail) return false
  const host = hostOf(sender)
  const isElsewhere = ([, address = '']: RegExpExecArray) => host === '' || hostOf(address) !== host
  const stands = () => [...start.matchAll(aloneOnLine)].some(isElsewhere)
  // A server gives the reason behind the address.
  const leads = () => [...start.matchAll(beforeReason)].some(isElsewhere)
  if (reasonIn(own) !== undefined && leads()) return true
  return hasOne(words, failures) && (stands() || namesBoth(begins, to))
}

const longestAlone = 500
/**
 * Whether a text says that mail to a third address has failed, and nothing else: each of its paragraphs, some of which may be
 * the same in another language, is a server's phrase. Old programs leave out accents.
 */
export function saysNothingElse(said: string, ours: string[]): boolean {
  const paragraphs = unquoted(said)
    .split(/\n[^\p{L}]{0,200}\n/u)
    .map((one) => withoutAccents(oneLine(one)).trim())
    .filter((one) => /\p{L}/u.test(one))
  const isFailure = (words: string) => hasOne(words, mails) && hasOne(words, bareFailures)
  return (
    paragraphs.length > 0 &&
    !greets(said, ours) &&
    paragraphs.join(' ').length <= longestAlone &&
    paragraphs.every((one) => isFailure(one) && !asks(one) && !speaksOfItself(one)) &&
    addressesIn(said).some(isNoneOf(ours))
  )
}
const withoutAccents = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '')
const bareFailures = failures.map(withoutAccents)

// How mail programs begin what they forward: with a line of their own, or with a head whose sender and subject are labelled.
const passedOn =
  /^[-_=*\s>]{0,40}(?:begin )?(?:forwarded message|weitergeleitete nachricht|message transféré|message réexpédié|mensaje reenviado|messaggio inoltrato|mensagem encaminhada|mensagem reencaminhada|doorgestuurd bericht|przekazana wiadomość|wiadomość przekazana|пересланное сообщение|пересылаемое сообщение|vidarebefordrat meddelande|转发邮件|转发的邮件|転送メッセージ)/imu
const labelledHead =
  /^[*\s>]{0,5}(?:from|von|de|da|van|od|от|от кого|fra|från|差出人|发件人)[*]?[ \t]{0,3}[:：][^\n]{3,200}@[^\n]{0,200}\n(?:[^\n]{0,300}\n){0,5}?[*\s>]{0,5}(?:subject|betreff|asunto|objet|oggetto|assunto|onderwerp|temat|тема|emne|ämne|件名|主题)[*]?[ \t]{0,3}[:：]/imu
const longestLead = 3_000

/** Whether somebody says something of their own, and then shows a mail that a server has sent them. */
function forwards(own: string): boolean {
  const text = own.slice(0, longestLead)
  const at = [passedOn, labelledHead].map((one) => text.search(one)).filter((one) => one >= 0)
  if (at.length === 0) return false
  const lead = oneLine(text.slice(0, Math.min(...at)))
  return /\p{L}{2}/u.test(lead) && !opensIn(lead) && !hasOne(lead, failures)
}

/** What a text says before it names an address. */
function leadOf(text: string): string {
  const start = text.slice(0, beginning)
  const at = start.indexOf('@')
  return at < 0 ? '' : start.slice(0, at)
}

const statement = 250
// What programs put before the recipient of a letter.
const recipients =
  listed(`recipient | to | rcpt | empfänger | an | destinataire | à | destinatario | para | destinatário | geadresseerde
  ontvanger | aan | odbiorca | adresat | do | příjemce | komu | mottaker | mottagare | modtager | til | till | vastaanottaja
  címzett | alıcı | kime | получатель | кому | адресат | одержувач | отримувач | گیرنده | נמען | المستلم | παραλήπτης | destinatar
  宛先 | あて先 | 受信者 | 收件人 | 收信人 | 수신자 | 받는`)

/**
 * Whether a text says first, or under the subject of a bounce, that a mail to a third address has failed, and why, and nothing
 * besides: as a program does whose address nothing is known of, also one of the firm of that address.
 */
function saysOfMail(given: Said): boolean {
  const { subject, own, words, isTitled, isImpersonal, isOfService, ours } = given
  const title = oneLine(subject.slice(0, 300))
  const begins = words.slice(0, beginning)
  const fails = hasOne(words.slice(0, statement), failures)
  if (!fails && !(isTitled && hasOne(`${title} ${words}`, failures))) return false
  if (!hasOne(`${title} ${begins}`, mails)) return false
  const isThird = isNoneOf(ours)
  if (!placedIn(`${title}\n${own.slice(0, 3_000)}`).some(isThird)) return false
  const isReasoned = reasonIn(own) !== undefined || codesIn(own).length > 0
  if (!isReasoned) return false
  const start = own.slice(0, beginning).toLowerCase()
  if (speaksOfItself(start)) return false
  if (isImpersonal) return true
  if (speaksAsFirm(start)) return false
  if (isOfService && !takesLeave(own)) return true
  if (asks(own)) return false
  const isField = fieldsIn(own).some(
    ({ label, value }) => isOne(label, recipients) && addressesIn(value).some(isThird),
  )
  return isTitled || (fails && isField)
}

// Where servers put the recipient: at the beginning of a line, behind a colon, a preposition or a word for it, next to an Eastern
// word. In a signature, addresses stand behind names and commas.
const inPlace =
  /(?:^[ \t]{0,20}[-*•>]{0,3}[ \t]{0,9}|[:：][ \t]{0,20}|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}][ \t]{0,3}|(?<!\p{L})(?:to|for|an|f(?:ü|ue)r|à|pour|a|al|para|per|aan|voor|do|na|til|till|for|на|для|للعنوان|إلى|recipient|address|rfc822;|empf(?:ä|ae)nger|adresse|destinataire|destinatari[oa]|destinatário|dirección|indirizzo|endereço|ontvanger|adres|odbiorca|příjemce|mottaker|modtager|mottagare|адрес|получатель)[ \t]{1,3})[<"'([]{0,3}([^\s<>"';,:()[\]]{1,250}@[^\s<>"';,:()[\]]{1,190})/gimu
const placedIn = (text: string): string[] =>
  [...text.matchAll(inPlace)].flatMap(([, address = '']) => addressesIn(address))

function isNoneOf(addresses: string[]) {
  const known = new Set(addresses.map((one) => one.toLowerCase()))
  return (address: string) => !known.has(address.toLowerCase())
}

type Said = {
  subject: string
  own: string
  /** The same, folded. */
  words: string
  isTitled: boolean
  isImpersonal: boolean
  isOfService: boolean
  /** Addresses that such a mail is not about. */
  ours: string[]
}

type Envelope = {
  sender?: string
  /** Where the mail came to. */
  to?: string[]
  returnsOurs?: boolean
  /** Nobody reads what is sent to the sender. */
  isUnread?: boolean
  /** Its head says that it is automatic, in a field that people's mail may have too. */
  isMarked?: boolean
  /** Its sender has the name of a service for mail. */
  isOfService?: boolean
}

// A program speaks to its reader of "the message from" the reader's own address "to" another; a person says "your mail".
const before = /(?:^|\s)(?:from|von|de|da|van|od|от|från|fra)[ :]{0,2}[<"'(]{0,3}$/
const nearest = 80
const possessive =
  /(?<!\p{L})(?:our|unser\p{L}{0,2}|notre|nos|nuestr[oa]s?|nostr[oaie]|noss[oa]s?|ons|onze|nasz\p{L}{0,3}|наш\p{L}{0,3})(?!\p{L})/u
function namesBoth(words: string, to: string[]): boolean {
  const [ours, ...more] = to.map((one) => one.toLowerCase())
  // A notice goes to its sender alone.
  if (ours === undefined || more.length > 0 || possessive.test(words)) return false
  const at = words.indexOf(ours)
  if (at < 1 || !before.test(words.slice(Math.max(0, at - 12), at))) return false
  const rest = words.slice(at + ours.length)
  return addressesIn(rest.slice(0, nearest)).some((one) => one !== ours)
}

/**
 * Whether a server answers under the address that failed: it says first that the letter failed, and then of that address what
 * nobody says of their own.
 */
export function refusesForSender(said: string, { name, address }: Sender): boolean {
  // A program that writes as somebody else has no name for them.
  if (address === '' || (name !== '' && name.toLowerCase() !== address.toLowerCase())) return false
  const own = unquoted(said).slice(0, 3_000)
  if (speaksAsPerson(own) || speaksAsFirm(own)) return false
  const begins = oneLine(own).trim().slice(0, 200)
  if (!opensIn(begins) && !hasOne(begins, failures)) return false
  const gone = (text: string) => isPermanent(reasonIn(text) ?? '')
  return own.split(/[.!?。][ \t]|[.!?。]?\n[ \t]{0,9}\n|[,;。、，]/).some((clause) => {
    const words = oneLine(clause)
    const at = words.indexOf(address.toLowerCase())
    // "The mailbox of Bo is closed and Kim's is this one" says nothing of this one.
    return at >= 0 && gone(words) && !gone(words.slice(0, at))
  })
}
type Sender = { name: string; address: string }

// What stands alone on a line, or before what a server says about it.
const beforeReason =
  /^[ \t]{0,20}<?([^\s<>"';,:()@]{1,250}@[^\s<>"';,:()@]{1,190})>?[ \t]{0,9}:[ \t]/gm
const aloneOnLine = /^[ \t]{0,20}<?([^\s<>"';,:()@]{1,250}@[^\s<>"';,:()@]{1,190})>?[ \t]{0,9}$/gm
