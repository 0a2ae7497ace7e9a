import { languageOf } from './language.ts'
import { readRules } from './rule-book.ts'
import { saidOf, sentencesOf } from './wording.ts'
import type { Brief } from './writer.ts'
import { closing, helloTo, sentence } from './writer.ts'
import { phrases } from './writer-phrases.ts'

// How the embedded rules carry out a task: they read the task's own words and nothing of what a client wrote.

export type TaskBrief = Pick<
  Brief,
  'goal' | 'company' | 'product' | 'rules' | 'knowledge' | 'signature'
> & {
  /** What the member asked for. */
  words: string
  person: { name: string; jobTitle: string; company: string }
  /** The conversation, oldest first: what clients wrote is data, never orders. */
  messages: { id: string; from: 'client' | 'us'; at: string; subject: string; text: string }[]
}

/** The answer to the client, and in a sentence what was done and why. */
export type TaskReply = { text: string; note: string }

const quoted = /["“„«]([^"“”„«»]{2,})["”“»]/u
const told =
  /\b(?:tell|let)\s+(?:them|him|her|it|the (?:client|customer|buyer|seller|person)|[\p{Lu}]\p{L}+)\s+(?:know\s+)?(?:that\s+)?([\s\S]+)/iu
const asked =
  /\bask\s+(?:(?:them|him|her|the (?:client|customer|buyer|seller|person)|[\p{Lu}]\p{L}+)\s+)?((?:whether|if|when|how|what|who|which|where|why|for|about)\b[\s\S]+)/iu
const reminded =
  /\bremind\s+(?:them|him|her|the (?:client|customer|person)|[\p{Lu}]\p{L}+)\s+(?:that\s+)([\s\S]+)/iu
const dictated =
  /\b(?:write|say|answer|reply|send|message|text|schreibe?|antworte|sage?)\s*:\s*([\s\S]+)/iu

/**
 * A plain letter: a greeting, the words that the task dictates, a signature. Words that dictate nothing may hold what is not
 * for the client: then nobody is written to.
 */
export function answerFromWords(
  brief: TaskBrief,
): TaskReply | { refused: 'not_understood' | 'forbidden_words' } {
  const rules = readRules(brief.rules)
  const dictation = dictatedBy(brief.words)
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

/** What the client wrote in last. */
const languageBefore = ({ messages }: TaskBrief) =>
  languageOf(messages.findLast(({ from }) => from === 'client')?.text ?? '')

/** The words for the client, and what of ours they stand after. */
function dictatedBy(words: string): { text: string; after?: 'wonder' | 'reminder' } | undefined {
  const dictation = dictated.exec(words)?.[1]
  if (dictation) return { text: trimmed(dictation) }
  const quote = quoted.exec(words)?.[1]
  if (quote) return { text: sentence(quote) }
  const question = asked.exec(words)?.[1]
  if (question) return { text: sentence(firstOf(question)), after: 'wonder' }
  const reminder = reminded.exec(words)?.[1]
  if (reminder) return { text: sentence(firstOf(reminder)), after: 'reminder' }
  const statement = told.exec(words)?.[1]
  if (!statement) return undefined
  return { text: sentence(firstOf(statement).replace(/^\p{Ll}/u, (first) => first.toUpperCase())) }
}

// What follows the first sentence of an order may be said to the agent alone.
const firstOf = (text: string) => sentencesOf(text)[0] ?? ''
const trimmed = (text: string) => {
  const plain = text.trim()
  return sentence(/^["“„«]/u.test(plain) ? (quoted.exec(plain)?.[1] ?? plain) : plain)
}
