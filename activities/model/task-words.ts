import { readRules } from './rule-book.ts'
import { saidOf, sentencesOf } from './wording.ts'
import type { Brief } from './writer.ts'
import { helloTo, sentence } from './writer.ts'
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

/** The answer to the client, and in a sentence what was done and why. An empty text: nothing is to be written. */
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
 * for the client: then the letter only asks what the client needs.
 */
export function answerFromWords(brief: TaskBrief): TaskReply {
  const rules = readRules(brief.rules)
  const language = rules.language ?? 'en'
  const say = phrases[language]
  const dictation = wordsFor(brief.words, say)
  const close =
    rules.signAs ?? [brief.signature || say.regards, brief.company?.name].filter(Boolean).join('\n')
  if (dictation && saidOf(dictation, rules.never).length > 0)
    return { text: '', note: 'Wrote nothing: the words of the task are ones the rules forbid.' }
  const body = [
    dictation ?? say.followUp,
    ...rules.mention.map(({ text, whole }) =>
      whole ? sentence(text) : `${say.also} ${sentence(text)}`,
    ),
  ]
  return {
    text: `${[helloTo(brief.person.name, rules, language), ...body, close].join('\n\n')}\n`,
    note: dictation
      ? 'Wrote what the task dictates (embedded rules, no language model).'
      : 'The task dictates no words: wrote a plain letter that asks what is needed (embedded rules, no language model).',
  }
}

function wordsFor(words: string, say: (typeof phrases)['en']): string | undefined {
  const dictation = dictated.exec(words)?.[1]
  if (dictation) return trimmed(dictation)
  const quote = quoted.exec(words)?.[1]
  if (quote) return sentence(quote)
  const question = asked.exec(words)?.[1]
  if (question) return `${say.wonder} ${sentence(firstOf(question))}`
  const reminder = reminded.exec(words)?.[1]
  if (reminder) return `${say.reminder} ${sentence(firstOf(reminder))}`
  const statement = told.exec(words)?.[1]
  if (statement)
    return sentence(firstOf(statement).replace(/^\p{Ll}/u, (first) => first.toUpperCase()))
  return undefined
}

// What follows the first sentence of an order may be said to the agent alone.
const firstOf = (text: string) => sentencesOf(text)[0] ?? ''
const trimmed = (text: string) => {
  const plain = text.trim()
  return sentence(/^["“„«]/u.test(plain) ? (quoted.exec(plain)?.[1] ?? plain) : plain)
}
