import { bulk, type Intent, phrases, urgent } from './marks-vocabulary.ts'
import { isAnswer } from './subjects.ts'
import { declinesOffer, isInterested } from './wishes/interest.ts'
import { fold } from './wishes/phrases.ts'
import { asksForNoLetters } from './wishes/unsubscribe.ts'

// What a client's words say about a conversation: how important it is, what it is about, and which products they name. Plain
// rules over whole words, deterministic and without a network; pure, so that inbound mail and the archive get the same marks.

export type Marks = { importance: 'low' | 'normal' | 'high'; intent: Intent }

/** The marks of a conversation that nobody has marked. */
export const unmarked: Marks = { importance: 'normal', intent: 'other' }

// Far more than anybody writes; what follows is quoted or generated.
const readCharacters = 20_000

const high: ReadonlySet<Intent> = new Set(['quote', 'meeting', 'complaint'])
const low: ReadonlySet<Intent> = new Set(['unsubscribe', 'not_interested', 'out_of_office'])

/**
 * Importance and intent of a conversation, from a message of its client without what the message quotes. The interface leaves
 * open what importance goes by. Here it is high for a client who asks for a price or a meeting, complains or is pressed for
 * time, and low for one who refuses or is away, and for mass mail.
 */
export function markConversation(text: string, subject: string): Marks {
  const [body, head] = [ownWords(text), subject.slice(0, 1000)]
  const isBulk = patterns.bulk.test(fold(body))
  const intent = intentOf(body, head, isBulk)
  if (low.has(intent) || (isBulk && intent !== 'complaint')) return { importance: 'low', intent }
  const pressing = high.has(intent) || patterns.urgent.test(fold(`${head}\n${body}`))
  return { importance: pressing ? 'high' : 'normal', intent }
}

function intentOf(body: string, head: string, isBulk: boolean): Intent {
  // Only the subject proves an automatic reply. For all other intents the text comes before the subject, which a conversation
  // keeps while its topics change.
  if (patterns.phrases.out_of_office?.test(fold(head))) return 'out_of_office'
  // Mass mail shows a way out to others; who asks for it speaks of themselves.
  if (isBulk) return asksForNoLetters(body) ? 'unsubscribe' : 'other'
  for (const said of [body, isAnswer(head) ? '' : head]) {
    const words = fold(said)
    const found = order.find(
      (intent) => wishes[intent]?.(said) || patterns.phrases[intent]?.test(words),
    )
    if (found) return found
    if (/[?？](?!\S)/.test(words)) return 'question'
  }
  return 'other'
}

/** In the order in which they decide: a refusal that asks for a price is a refusal. */
const order = [
  'out_of_office',
  'unsubscribe',
  'complaint',
  'not_interested',
  'meeting',
  'quote',
  'interested',
  'question',
] as const satisfies Intent[]

const wishes: Partial<Record<Intent, (said: string) => boolean>> = {
  unsubscribe: asksForNoLetters,
  not_interested: declinesOffer,
  interested: isInterested,
}

/** The products that a client names, without what the message quotes; their ids in the order given. */
export function namedProducts(
  text: string,
  subject: string,
  products: { id: string; name: string }[],
): string[] {
  const words = fold(`${subject.slice(0, 1000)}\n${ownWords(text)}`)
  return products.flatMap(({ id, name }) =>
    name.trim().length > 1 && wholeWords(escaped(fold(name.trim()))).test(words) ? [id] : [],
  )
}

// Where mail programs begin to quote: "On …, … wrote:" in several languages, Outlook's header block, a forwarded message.
const quotes = [
  /^[ \t]*(?:on|am|el|le|il|em|op)\s.{3,200}?\s(?:wrote|schrieb|escribi[oó]|a [eé]crit|ha scritto|escreveu|schreef)\b[^\n]{0,200}?:[ \t]*$/imsu,
  /^.{0,200}(?:пишет|написал|написала|pisze|napisał(?:\(a\)|a)?)[ \t]*:[ \t]*$/imu,
  /^[ \t]*\d{4}[年/-][^\n@]{5,120}(?:@[^\n]{1,100}|のメール|wrote)[ \t]*[:：][ \t]*$/imu,
  /^-{2,}[ \t]*(?:original message|urspr[uü]ngliche nachricht|mensaje original|mensagem original|message d'origine|messaggio originale|oorspronkelijk bericht|wiadomość oryginalna|oryginalna wiadomość|forwarded message|исходное сообщение|元のメッセージ).*$/imu,
  /^_{10,}[ \t]*$/m,
  /^[ \t]*\*?(?:from|von|de|da|van|od|от|差出人)[ \t]*[:：].{1,300}\n[ \t]*\*?(?:sent|gesendet|enviado|enviada|envoy[eé]|inviato|verzonden|wysłano|data|date|datum|fecha|отправлено|дата|送信日時|日付)(?:[ \t](?:el|em|le|il|am))?[ \t]*[:：]/imu,
  // The mark of a signature (RFC 3676, 4.3).
  /^-- ?$/m,
]

/** A message without its quotations and its signature; the whole message if nothing else would be left. */
export function ownWords(text: string): string {
  const all = text.slice(0, readCharacters).replace(/\r\n?/g, '\n')
  const ends = quotes.map((quote) => all.search(quote)).filter((at) => at > 0)
  const own = all
    .slice(0, Math.min(all.length, ...ends))
    .split('\n')
    .filter((line) => !line.startsWith('>'))
    .join('\n')
  return own.trim() === '' ? all : own
}

const escaped = (text: string) =>
  text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+')

const wholeWords = (source: string) =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'u')

const patternOf = (list: string) =>
  wholeWords(
    list
      .split(/[|\n]/)
      .map((phrase) => phrase.trim())
      .filter(Boolean)
      .map((phrase) =>
        escaped(fold(phrase))
          .replaceAll('\\*', "[\\p{L}\\p{N}'-]*")
          .replaceAll('\\s+_\\s+', '\\s+(?:\\S+\\s+){0,3}'),
      )
      .join('|'),
  )

const patternsOf = (lists: typeof phrases): Partial<Record<Intent, RegExp>> =>
  Object.fromEntries(lists.map(([intent, list]) => [intent, patternOf(list)]))

const patterns = {
  phrases: patternsOf(phrases),
  urgent: patternOf(urgent),
  bulk: patternOf(bulk),
}
