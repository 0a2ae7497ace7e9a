import { fold, stem } from '../judge/vocabulary.ts'

// What plain rules can follow of instructions in words: a length, a signature, a greeting, a subject, a language, what to
// mention and what never to. What has another form ("be warm") is left to a language model, and to whoever reads the letter.

export type Language = 'en' | 'de' | 'es' | 'fr'
export type RuleBook = {
  maxWords: number | null
  signAs: string | null
  greeting: string | null
  subject: string | null
  language: Language | null
  /** Sentences to be said. */
  mention: { text: string; whole: boolean }[]
  /** Words that must not be there. */
  never: string[]
  /** Sentences of the rules that have none of these forms. */
  ignored: string[]
}

const number = /(\d{1,5})/.source
const words = /(?:words|w[oö]rtern?|worte|palabras|mots)/.source
const most = new RegExp(
  `(?:no|not|never\\s+(?:\\w+\\s+)?)\\s*more than ${number} ${words}|(?:at most|max(?:imum|imal|\\.)?(?: of)?|up to|within|limit(?:ed)? to|höchstens|nicht mehr als|como máximo|au plus) ${number} ${words}|${number} ${words} (?:at most|max(?:imum)?|or less|or fewer)`,
  'iu',
)
const fewer = new RegExp(
  `(?:under|below|fewer than|less than|shorter than|unter) ${number} ${words}`,
  'iu',
)
const end = /(?=[.;!](?:\s|$)|,?\s+(?:and\s+)?(?:sign|never|always|mention|keep|write)\b|$)/.source
const signing = new RegExp(`\\bsign(?:ed)?(?: \\w+){0,3}? (?:as|with|by)\\s+(.+?)${end}`, 'iu')
const signingGerman = /unterschreibe(?:n|t)?(?: \p{L}+)? (?:als|mit)\s+(.+?)(?=[.;!]|$)/iu
const quote = /["“”„«»]([^"“”„«»]+)["“”„«»]/u
const greeting = /\b(?:greet|begin|start|open|address)\b/iu
const subject = /\bsubject\b/iu
const verb =
  /(?:mention|promise|offer|say|write|name|use|speak (?:of|about)|talk about|discuss|reveal|quote|give|include|refer to|disclose)/
    .source
const forbidding = [
  new RegExp(
    `\\b(?:never|do not|don['’]t|must not|may not|should not)\\s+(?:ever\\s+)?${verb}\\s+(.+?)${end}`,
    'iu',
  ),
  new RegExp(
    `\\bavoid\\s+(?:mentioning|promising|offering|saying|using|the words?)?\\s*(.+?)${end}`,
    'iu',
  ),
  new RegExp(`\\bno mention of\\s+(.+?)${end}`, 'iu'),
  // "No discounts", as a sentence of its own.
  /^(?:no|keine?n?)\s+((?:\S+\s+){0,2}\S+?)[.!]*$/iu,
  /\b(?:nie|niemals|nicht)\s+(?:von\s+|über\s+)?(.+?)\s+(?:erwähnen|nennen|versprechen|sprechen|anbieten)/iu,
]
const asking = new RegExp(
  `\\b(?:always\\s+|please\\s+|do\\s+)?(?:mention|point out|refer to|include|say|tell (?:them|people|everyone|the client))\\s+(that\\s+)?(.+?)${end}`,
  'iu',
)
const languages: [Language, RegExp][] = [
  ['de', /\b(?:in german|auf deutsch|language: ?german)\b/iu],
  ['en', /\b(?:in english|auf englisch|language: ?english)\b/iu],
  ['es', /\b(?:in spanish|auf spanisch|en español|language: ?spanish)/iu],
  ['fr', /\b(?:in french|auf französisch|en français|language: ?french)/iu],
]

/** The rules in these texts that have a form we know. Of two signatures the later one counts, of two lengths the shorter. */
export function readRules(texts: string[]): RuleBook {
  const book: RuleBook = {
    ...{ maxWords: null, signAs: null, greeting: null, subject: null, language: null },
    ...{ mention: [], never: [], ignored: [] },
  }
  for (const text of texts)
    for (const sentence of sentencesOf(text)) if (!read(sentence, book)) book.ignored.push(sentence)
  return book
}

function read(sentence: string, book: RuleBook): boolean {
  let known = false
  let rest = sentence
  const take = (pattern: RegExp) => {
    const found = pattern.exec(rest)
    if (found) {
      rest = rest.replace(found[0], ' ')
      known = true
    }
    return found?.slice(1).find((part) => part?.trim())
  }
  const limit = take(most)
  const bound = take(fewer)
  const maxWords = limit ? Number(limit) : bound ? Number(bound) - 1 : null
  if (maxWords) book.maxWords = Math.min(maxWords, book.maxWords ?? maxWords)
  for (const pattern of forbidding) {
    const phrases = phrasesOf(take(pattern) ?? '')
    book.never.push(...phrases)
  }
  const quoted = quote.exec(rest)?.[1]
  if (quoted && greeting.test(rest)) return set('greeting', quoted)
  if (quoted && subject.test(rest)) return set('subject', quoted)
  const name = take(signing) ?? take(signingGerman)
  if (name) book.signAs = unquoted(name)
  const language = languages.find(([, pattern]) => pattern.test(rest))
  if (language && !/\b(?:never|not)\b/i.test(rest)) {
    book.language = language[0]
    known = true
  }
  const asked = asking.exec(rest)
  const said = asked && !/\b(?:if|when|unless)\b/i.test(rest)
  if (said) {
    const [, that, what = ''] = asked
    const phrase = quote.exec(what)?.[1]
    book.mention.push({ text: phrase ?? what.trim(), whole: Boolean(that) || Boolean(phrase) })
    known = true
  }
  return known

  function set(member: 'greeting' | 'subject', value: string) {
    book[member] = value.trim()
    return true
  }
}

const unquoted = (text: string) => text.replace(/^["“”„«»'\s]+|["“”„«»'\s]+$/gu, '')

// "Discounts, prices or guarantees": each is forbidden. More than five words are a condition and no phrase.
function phrasesOf(text: string): string[] {
  const quoted = [...text.matchAll(new RegExp(quote, 'gu'))].map(([, phrase]) => phrase as string)
  const parts = quoted.length > 0 ? quoted : text.split(/,|\s(?:or|and|nor|oder|und)\s/iu)
  return parts
    .map((part) =>
      unquoted(part).replace(
        /^(?:a|an|any|the|our|their|about|of|words?|eine?n?|die|der|das)\s+/iu,
        '',
      ),
    )
    .filter((part) => part !== '' && part.split(/\s+/).length <= 5)
}

/** The sentences of a text; a line is the end of one. */
export const sentencesOf = (text: string): string[] =>
  text
    .split(/\n+|(?<=[.!?;])\s+/u)
    .map((sentence) => sentence.trim())
    .filter(Boolean)

const stems = (text: string) =>
  (fold(text).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => stem(word))

/** Whether a text says a phrase, in whatever number or case. */
export function says(text: string, phrase: string): boolean {
  const wanted = stems(phrase)
  if (wanted.length === 0) return false
  const there = stems(text)
  return there.some((_, i) => wanted.every((word, j) => there[i + j] === word))
}

export const countWords = (text: string): number => text.match(/\S+/gu)?.length ?? 0
