import { sentencesOf, stripped } from './wording.ts'

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
]
/** "No discounts", as a sentence of its own. */
const bare = /^(?:no|keine?n?) (\S+(?: \S+){0,2})$/iu
const verbGerman = / (?:erwähnen|nennen|versprechen|sprechen|anbieten)/giu
const forbiddingGerman =
  /\b(?:nie|niemals|nicht) (?:von |über )?(.+?) (?:erwähnen|nennen|versprechen|sprechen|anbieten)/iu
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

// What is read of a book: more rules than a text of its greatest length holds in earnest.
const mostRules = 1000
const mostPhrases = 1000
const mostMentions = 200

const books = new Map<string, RuleBook>()
const mostBooks = 20

/**
 * The rules in these texts that have a form we know. Of two signatures the later one counts, of two lengths the shorter. Of
 * each text the first 1,000 different rules are read. Books read lately are kept, because every letter of a campaign has the
 * same: they must not be changed.
 */
export function readRules(texts: string[]): RuleBook {
  const key = JSON.stringify(texts)
  const book = books.get(key) ?? readBook(texts)
  books.delete(key)
  books.set(key, book)
  if (books.size > mostBooks) books.delete(books.keys().next().value as string)
  return book
}

function readBook(texts: string[]): RuleBook {
  const book: RuleBook = {
    ...{ maxWords: null, signAs: null, greeting: null, subject: null, language: null },
    ...{ mention: [], never: [], ignored: [] },
  }
  for (const text of texts) {
    // The patterns know single blanks, which keeps each of them from looking at a long run of blanks again and again.
    const rules = new Set(sentencesOf(text).map((rule) => rule.replace(/\s+/gu, ' ')))
    for (const rule of [...rules].slice(0, mostRules))
      if (!read(rule, book)) book.ignored.push(rule)
  }
  book.never = [...new Set(book.never)].slice(0, mostPhrases)
  book.mention = book.mention.slice(0, mostMentions)
  return book
}

function read(sentence: string, book: RuleBook): boolean {
  let known = false
  let rest = sentence
  const take = (pattern: RegExp, until = rest.length) => {
    const found = pattern.exec(rest.slice(0, until))
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
  for (const pattern of forbidding) book.never.push(...phrasesOf(take(pattern) ?? ''))
  book.never.push(...phrasesOf(take(bare, endOfWords(rest)) ?? ''))
  // Only where one of the verbs follows: the search for it would begin anew at every “nicht”.
  const verbAt = [...rest.matchAll(verbGerman)].at(-1)
  if (verbAt)
    book.never.push(...phrasesOf(take(forbiddingGerman, verbAt.index + verbAt[0].length) ?? ''))
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

const unquoted = (text: string) => stripped(text, (char) => /["“”„«»'\s]/u.test(char))
/** Where a sentence ends, without its full stops. */
function endOfWords(text: string) {
  let end = text.length
  while (end > 0 && (text[end - 1] === '.' || text[end - 1] === '!')) end--
  return end
}

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
