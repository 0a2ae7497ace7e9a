import { seenWords } from '../../text.ts'
import { ownWords, saidIn } from '../own-words.ts'
import { isAnswer } from '../subjects.ts'
import { declinesOffer, isInterested } from './interest.ts'
import { bulk, type Intent, phrases, urgent } from './marks-vocabulary.ts'
import { fold } from './phrases.ts'
import { asksForNoLetters } from './unsubscribe.ts'

// What a client's words say about a conversation: how important it is, what it is about, and which products they name. Plain
// rules over whole words, deterministic and without a network; pure, so that inbound mail and the archive get the same marks.

export type Marks = { importance: 'low' | 'normal' | 'high'; intent: Intent }

/** The marks of a conversation that nobody has marked. */
export const unmarked: Marks = { importance: 'normal', intent: 'other' }

const high: ReadonlySet<Intent> = new Set(['quote', 'meeting', 'complaint'])
const low: ReadonlySet<Intent> = new Set(['unsubscribe', 'not_interested', 'out_of_office'])

/**
 * Importance and intent of a conversation, from a message of its client without what the message quotes. The interface leaves
 * open what importance goes by. Here it is high for a client who asks for a price or a meeting, complains or is pressed for
 * time, and low for one who refuses or is away, and for mass mail.
 */
export function markConversation(text: string, subject: string): Marks {
  const [body, head] = [saidIn(text), seenWords(subject.slice(0, 1000))]
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
