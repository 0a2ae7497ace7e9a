import { bulk, type Intent, phrases, urgent } from './marks-vocabulary.ts'

// What a client's words say about a conversation: how important it is, what it is about, and which products they name. Plain
// rules over whole words, deterministic and without a network; pure, so that inbound mail and the archive get the same marks.

export type Marks = { importance: 'low' | 'normal' | 'high'; intent: Intent }

// A person who wants no more letters says so in a few lines. A long letter with such words is about something else, and taking
// it as a refusal would stop letters to its sender.
const longestRefusal = 500

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
  const [body, head] = [fold(ownWords(text)), fold(subject.slice(0, 1000))]
  const isBulk = patterns.bulk.test(body)
  const intent = intentOf(body, head, isBulk)
  if (low.has(intent) || (isBulk && intent !== 'complaint')) return { importance: 'low', intent }
  const pressing = high.has(intent) || patterns.urgent.test(`${head}\n${body}`)
  return { importance: pressing ? 'high' : 'normal', intent }
}

function intentOf(body: string, head: string, isBulk: boolean): Intent {
  // Only the subject proves an automatic reply. For all other intents the text comes before the subject, which a conversation
  // keeps while its topics change.
  if (patterns.intents[0]?.pattern.test(head)) return 'out_of_office'
  for (const words of isBulk ? [] : [body, isReply(head) ? '' : head]) {
    const found = patterns.intents.find(
      ({ intent, pattern }) =>
        pattern.test(words) && (intent !== 'unsubscribe' || words.length <= longestRefusal),
    )
    if (found) return found.intent
    if (/[?？](?!\S)/.test(words)) return 'question'
  }
  return 'other'
}

const isReply = (subject: string) => /^\s*(?:re|aw|antw|rv|fw|fwd|wg|tr|ref|sv)\s*:/.test(subject)

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
  /^.{0,200}(?:пишет|написал|написала)[ \t]*:[ \t]*$/imu,
  /^-{2,}[ \t]*(?:original message|urspr[uü]ngliche nachricht|mensaje original|message d'origine|messaggio originale|forwarded message|исходное сообщение).*$/imu,
  /^_{10,}[ \t]*$/m,
  /^[ \t]*(?:from|von|de|da|от)\s*:.{1,300}\n[ \t]*(?:sent|gesendet|enviado|envoy[eé]|inviato|date|datum|fecha|отправлено|дата)\s*:/imu,
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

/** Lower case without accents, and all apostrophes alike. */
const fold = (text: string) =>
  text
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[’ʼ`´]/g, "'")
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')

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

const patterns = {
  intents: phrases.map(([intent, list]) => ({ intent, pattern: patternOf(list) })),
  urgent: patternOf(urgent),
  bulk: patternOf(bulk),
}
