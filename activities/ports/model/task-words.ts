import { personalName } from '../../../rules/personal-name.ts'
import { toClient } from './addressed.ts'
import { languageOf } from './language.ts'
import { readRules } from './rule-book.ts'
import { saidOf, sentencesOf } from './wording.ts'
import type { Brief } from './writer.ts'
import { closing, helloTo, sentence } from './writer.ts'
import { phrases } from './writer-phrases.ts'

// How the embedded rules carry out a task: they read the task's own words and nothing that a client wrote.

export type TaskBrief = Pick<
  Brief,
  'goal' | 'company' | 'product' | 'rules' | 'knowledge' | 'signature'
> & {
  /** The words of the member who gave the task. */
  words: string
  person: { name: string; jobTitle: string; company: string }
  /** The conversation, oldest first. What clients wrote is data, never an order. */
  messages: { id: string; from: 'client' | 'us'; at: string; subject: string; text: string }[]
}

/** The answer to the client, and a sentence about what was done and why. */
export type TaskReply = { text: string; note: string }

const whom = String.raw`(them|him|her|it|the (?:client|customer|buyer|seller|person)|(?-i:\p{Lu})\p{L}+)`
// A quotation is dictated if it is all that is said; a quotation in passing just names something.
const quoted = /["“„«]([^"“”„«»]{2,})["”“»]/u
const quotes =
  /^(?:[^"“”„«»]*?\b(?:write|say|answer|reply|send|message|text|tell|schreibe?|antworte|sage?|sende?)(?: (?:back|just|to|them|him|her|this|with|that|the (?:client|customer|buyer|seller|person)|ihm|ihr|ihnen|(?-i:\p{Lu})\p{L}+))*[\s:,]*)?["“„«]([^"“”„«»]{2,})["”“»][.,!]?(?:\s*$|(?<=[.!?]["”“»]?)\s| to )/iu
const told = new RegExp(
  `\\b(?:tell|inform|assure|notify|let(?=\\s+\\p{L}+(?:\\s+\\p{L}+)?\\s+know\\b))\\s+${whom}(?:\\s+know)?(?:\\s*:\\s*|\\s+)(that\\s+)?([\\s\\S]+)`,
  'iu',
)
const said = new RegExp(
  `\\b(?:say|write|reply|answer|respond|confirm|explain|mention)(?:\\s+to\\s+${whom})?\\s+that\\s+([\\s\\S]+)`,
  'iu',
)
const asked = new RegExp(
  `\\bask\\s+(?:${whom}\\s+)?((?:whether|if|when|how|what|who|which|where|why|for|about|to)\\b[\\s\\S]+)`,
  'iu',
)
const reminded = new RegExp(`\\bremind\\s+${whom}\\s+(that|to)\\s+([\\s\\S]+)`, 'iu')
const thanked = new RegExp(`\\bthank\\s+${whom}\\s+(for\\s+[\\s\\S]+)`, 'iu')
const dictated =
  /\b(?:write|say|answer|reply|send|message|text|schreibe?|antworte|sage?)\s*:\s*([\s\S]+)/iu
/** Words that turn an order into its opposite, or move it to another time. */
const withheld =
  /\b(?:not|never|nothing|cannot|tell|ask|remind|without|before|unless|until|once|instead|rather|avoid|after|if|when|whether|nicht|nie|niemals|kein\p{L}*|ohne|bevor|wenn|falls|no|nunca|jamais|pas|sin|sans)\b|n['’]t\b/iu
const ordered =
  /(?:^|[,;:.!?\n–—-]|\b(?:please|kindly|and|then|just|also|to|simply|you|back|bitte|und|dann|nur))\s*$/iu
/** Words after “tell them” that are not a sentence: what to tell is left to the writer. */
const noSentence =
  /^(?:about|of|how|what|which|who|when|where|why|whether|if|everything|something|more|all about)\b/iu

/**
 * A plain letter: a greeting, the words that the task dictates, a signature. If the task dictates nothing, its words may not be
 * meant for the client, so no letter is written.
 */
export function answerFromWords(
  brief: TaskBrief,
): TaskReply | { refused: 'not_understood' | 'forbidden_words' } {
  const rules = readRules(brief.rules)
  const dictation = dictatedBy(plainOrder(brief.words), brief.person.name)
  if (!dictation?.text) return { refused: 'not_understood' }
  const language = rules.language ?? languageOf(dictation.text) ?? languageBefore(brief) ?? 'en'
  const say = phrases[language]
  const words = dictation.after ? `${say[dictation.after]} ${dictation.text}` : dictation.text
  if (saidOf(words, rules.never).length > 0) return { refused: 'forbidden_words' }
  const body = [
    words,
    ...rules.mention.map(({ text, whole }) =>
      whole ? sentence(text) : `${say.also} ${sentence(text)}`,
    ),
  ]
  const close = closing(brief.signature, rules, language)
  return {
    text: `${[helloTo(brief.person.name, rules, language), ...body, close].join('\n\n')}\n`,
    note: 'Wrote what the task dictates (embedded rules, no language model).',
  }
}

/** The language in which the client wrote. */
const languageBefore = ({ messages }: TaskBrief) =>
  languageOf(messages.findLast(({ from }) => from === 'client')?.text ?? '')

/** The words for the client, and our words before them. `name` is the client's. */
function dictatedBy(
  words: string,
  name: string,
): { text: string; after?: 'wonder' | 'reminder' } | undefined {
  /** What a pattern finds, if it is an order and the person it names is the client. */
  const take = (pattern: RegExp) => {
    const found = pattern.exec(words)
    if (!found) return undefined
    const before = words.slice(0, found.index)
    return ordered.test(before) && !withheld.test(lastOf(before)) ? found : null
  }
  const dictation = take(dictated)
  if (dictation !== undefined) return dictation ? { text: trimmed(dictation[1] ?? '') } : undefined
  const quote = quotes.exec(words)
  if (quote)
    return withheld.test(quote[0].slice(0, quote[0].search(quoted)))
      ? undefined
      : { text: sentence(quote[1] ?? '') }
  for (const [pattern, say] of forms) {
    const found = take(pattern)
    if (found === undefined) continue
    const of = found?.[1] ?? ''
    return found && isClient(of, name) ? say(of, found.slice(2)) : undefined
  }
  return undefined
}

/** “Could you tell them that we ship?” asks the agent, not the client. */
const plainOrder = (words: string) =>
  /^\s*(?:please )?(?:could|can|would|will) you\b/iu.test(words)
    ? words.replace(/\?\s*$/u, '.')
    : words

type Say = (of: string, parts: string[]) => ReturnType<typeof dictatedBy>
const forms: [RegExp, Say][] = [
  [
    asked,
    (of, [question = '']) => {
      const wish = toClient(firstOf(question), of)
      if (!wish) return undefined
      return { text: sentence(/^to\b/iu.test(wish) ? `you ${wish}` : wish), after: 'wonder' }
    },
  ],
  [
    reminded,
    (of, [how = '', reminder = '']) => {
      const what = toClient(firstOf(reminder), of)
      if (!what) return undefined
      const isOrder = how.toLowerCase() === 'to'
      return { text: sentence(isOrder ? `please ${what}` : what), after: 'reminder' }
    },
  ],
  [thanked, (of, [thanks = '']) => spoken(`thank you ${firstOf(thanks)}`, of)],
  [
    told,
    (of, [that, statement = '']) => {
      const first = firstOf(statement)
      if (that) return spoken(first, of)
      const order = /^to\s+(?!the\b|our\b|an?\b)(.+)/isu.exec(first)?.[1]
      if (order) return spoken(`please ${order}`, of)
      return noSentence.test(first) ? undefined : spoken(first, of)
    },
  ],
  [said, (of, [statement = '']) => spoken(firstOf(statement), of)],
]

/** The sentence in which a text ends. */
const lastOf = (text: string) => /[^.!?\n]*$/u.exec(text)?.[0] ?? ''

/** Whether a person who is named is the client. If the card has no name, the client may be called anything. */
function isClient(of: string, name: string) {
  if (!/^\p{Lu}/u.test(of) || /^(?:Them|Him|Her|It|The)\b/u.test(of)) return true
  const called = personalName(name)
  return (
    !called ||
    called
      .toLowerCase()
      .split(/[\s.-]+/)
      .includes(of.toLowerCase())
  )
}

/** What the task says about the client, as a sentence to the client. */
function spoken(words: string, of: string) {
  const text = toClient(words, of)
  return text === undefined
    ? undefined
    : { text: sentence(text.replace(/^\p{Ll}/u, (first) => first.toUpperCase())) }
}

// What follows the first sentence of an order may be meant for the agent alone.
const firstOf = (text: string) => sentencesOf(text)[0] ?? ''
const trimmed = (text: string) => {
  const plain = text.trim()
  return sentence(/^["“„«]/u.test(plain) ? (quoted.exec(plain)?.[1] ?? plain) : plain)
}
