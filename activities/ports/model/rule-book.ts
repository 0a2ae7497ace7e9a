import { setNewest } from '../../../rules/newest.ts'
import { toClient } from './addressed.ts'
import type { Language } from './language.ts'
import { sentencesOf, stripped } from './wording.ts'

// The instructions in words that plain rules can follow: a length, a signature, a greeting, a subject, a language, what to
// mention and what never to. Instructions of another form ("be warm") are left to a language model, and to the person who reads
// the letter.

export type RuleBook = {
  maxWords: number | null
  signAs: string | null
  greeting: string | null
  subject: string | null
  language: Language | null
  /** Sentences that the letter must say. */
  mention: { text: string; whole: boolean }[]
  /** Words that must not occur. */
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
const verb =
  /(?:mention|promise|offer|say|write|name|use|speak (?:of|about)|talk about|discuss|reveal|quote|give|include|refer to|disclose)/
    .source
// Where one instruction ends and the next begins. A verb alone may be part of a clause ("why you write"), so the next
// instruction is recognised by what comes before it and by what it asks for.
const next = `,?;? (?:and |then |and then )?(?<=[,;] |and |then )(?:please )?(?:${[
  'sign(?: \\w+){0,3} (?:as|with|by)',
  `(?:never|do not|don['’]t) (?:ever )?(?:${verb}|be|sound|use|exceed)`,
  'always (?:be|say|sign|include|write|keep|greet|use|point|refer|tell|begin|start|end)',
  '(?:always )?mention',
  'avoid',
  'keep (?:it|them|this|to|every|each|the (?:letter|mail|text))',
  'write (?:in|no|not|at|up|every|each|them)',
].join('|')})\\b`
const title = /\b(?:dr|mr|mrs|ms|prof|nr|e\.g|i\.e|z\.B|ca|approx|vs|incl)\.$/iu
const end = new RegExp(
  `(?=(?<!\\b(?:dr|mr|mrs|ms|prof|nr|e\\.g|i\\.e|z\\.B|ca|approx|vs|incl))[.;!](?:\\s|$)|${next}| always[.!]?$|$)`,
).source
const signing = new RegExp(`\\bsign(?:ed)?(?: \\w+){0,3}? (?:as|with|by)\\s+(.+?)${end}`, 'iu')
const signingGerman = /unterschreibe(?:n|t)?(?: \p{L}+)? (?:als|mit)\s+(.+?)(?=[.;!]|$)/iu
const quote = /["“”„«»]([^"“”„«»]+)["“”„«»]/u
const greeting = /\b(?:greet|begin|start|open|address)\b/iu
const subject = /\bsubject\b/iu
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
const others =
  /(?:them|people|everyone|everybody|him|her|(?:each|the) (?:client|person|customer|reader|recipient)s?)/
    .source
const asking = new RegExp(
  `\\b(mention|point out|refer to|include|say|tell ${others})(?: to ${others})?(?:(:)|,? (that)(?= [^ ]+ [^ ]))? `,
  'giu',
)
const languages: [Language, RegExp][] = [
  ['de', /\b(?:in german|auf deutsch|language: ?german)\b/iu],
  ['en', /\b(?:in english|auf englisch|language: ?english)\b/iu],
  ['es', /\b(?:in spanish|auf spanisch|en español|language: ?spanish)/iu],
  ['fr', /\b(?:in french|auf französisch|en français|language: ?french)/iu],
]

// How many rules of a book are read: more than a serious text of the maximum length holds.
const mostRules = 1000
const mostPhrases = 1000
const mostMentions = 200
const mostVerbs = 20
const mostJoined = 5

const books = new Map<string, RuleBook>()
const mostBooks = 20

/**
 * The rules in these texts that have a form we know. Of two signatures the later one counts, of two lengths the shorter. Of
 * each text, the first 1,000 different rules are read. Recent books are cached, because every letter of a campaign has the same
 * one; they must not be changed.
 */
export function readRules(texts: string[]): RuleBook {
  const key = JSON.stringify(texts)
  const book = books.get(key) ?? readBook(texts)
  setNewest(books, key, book, mostBooks)
  return book
}

function readBook(texts: string[]): RuleBook {
  const book: RuleBook = {
    maxWords: null,
    signAs: null,
    greeting: null,
    subject: null,
    language: null,
    mention: [],
    never: [],
    ignored: [],
  }
  for (const text of texts) {
    const rules = new Set(rulesOf(text))
    for (const rule of [...rules].slice(0, mostRules))
      if (!read(rule, book)) book.ignored.push(rule)
  }
  book.never = [...new Set(book.never)].slice(0, mostPhrases)
  book.mention = book.mention.slice(0, mostMentions)
  return book
}

/** The sentences of a text. A sentence does not end within quotation marks or after a title. */
function rulesOf(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const rules: string[] = []
    let open: string[] = []
    let marks = 0
    for (const sentence of sentencesOf(line)) {
      open.push(sentence)
      marks += sentence.match(/["“”„«»]/gu)?.length ?? 0
      if ((marks % 2 === 1 || title.test(sentence)) && open.length < mostJoined) continue
      rules.push(...(marks % 2 === 1 ? open : [open.join(' ')]))
      open = []
      marks = 0
    }
    // The patterns expect single spaces, so that none of them scans a long run of spaces again and again.
    return [...rules, ...open].map((rule) => rule.replace(/\s+/gu, ' '))
  })
}

const quoted = /^(?:the (?:words?|phrase|sentence|line)s? )?["“„«]/iu
const onlyQuoted = /^["“„«][^"“”„«»]+["“”»][.!]?$/u
const asked = new RegExp(`^(.+?)${end}`, 'iu')
const joint = /[,;]?(?: (?:and|then|or|but))? *$/iu

/** What to say, or in other words ("Mention no prices"), what not to say. */
function readAsked(rest: string, book: RuleBook): boolean {
  let tried = 0
  for (const found of rest.matchAll(asking)) {
    if (tried++ === mostVerbs) return false
    if (!isOrder(rest.slice(0, found.index))) continue
    const [whole, verb = '', colon, that] = found
    const what = rest.slice(found.index + whole.length)
    const said = (that ? onlyQuoted : quoted).test(what) ? quote.exec(what)?.[1] : undefined
    if (said) return book.mention.push({ text: said, whole: true }) > 0
    const clause = asked.exec(what)?.[1]?.replace(joint, '') ?? ''
    if (colon || that) {
      // "You write for us" speaks to the writer, "you can cancel" to the client.
      if (
        !clause ||
        /^you (?!(?:can|could|may|might|will|would|get|need|only|pay|save)\b)/iu.test(clause)
      )
        return false
      const text = toClient(clause, 'them')
      return text !== undefined && book.mention.push({ text, whole: true }) > 0
    }
    const { never, object } = objectOf(verb, clause)
    book.never.push(...phrasesOf(never))
    if (object) book.mention.push({ text: object, whole: false })
    return object !== '' || never !== ''
  }
  return false
}

/** Whether a verb after these words is an order: those in "prices include VAT" and "what we say" are not. */
function isOrder(before: string): boolean {
  const clause = before.split(/[;:]| and | but /iu).at(-1) ?? ''
  if (
    /\b(?:no|not|never|nobody|cannot|avoid|without|forbid\w*|prohibited|banned|illegal|wrong|mistake|stop|refuse\w*|refrain|instead of|rather than|\w+n['’]t)\b(?!.*\b(?:forget|fail|hesitate) to )/iu.test(
      clause,
    )
  )
    return false
  if (
    /(?:^|[,;:*•–—-] |\b(?:and|then|but|or|also|please|always|do|must|should|to|kindly) )$/iu.test(
      before,
    )
  )
    return true
  return (
    /^(?:in|at|on|for|with|by|during|from|towards?|throughout|near)\b/iu.test(before) &&
    !/\b(?:i|you|we|they|he|she|it|who|that|people|clients|customers) $/iu.test(before)
  )
}

const places =
  /(?:,? (?:(?:only |at most |at least )?(?:once|twice)|briefly|early(?: on)?|first|last|too|as well|please|always|in passing|in (?:a few|one|two|ten) (?:words?|sentences?)|as (?:early|soon|often) as possible|where(?:ver)? (?:it |this )?(?:fits|suits|relevant|possible|appropriate|useful|helpful)|(?:in|at|near|towards|by) (?:the|every|each|all|your) (?:(?:very|first|second|third|last|opening|closing|next) )*(?:sentence|line|paragraph|letter|mail|e-mail|email|message|beginning|start|end|opening|closing|subject|name|follow-up)s?(?: line| of (?:the|every|each|your) (?:letter|mail|e-mail|email|message)s?)?| to (?:them|people|everyone|everybody|the (?:client|person|customer|reader|recipient)s?)))$/iu
const unsayable = [
  // The writer has to answer a question.
  /^(?:why|how|what|who|whom|whose|where|when|whether|which)\b/iu,
  /^(?:it|them|him|her|something|anything|everything|(?:this|that|these|those)(?= (?:only|once|twice|at|in)\b|$))\b/iu,
  /^(?:hello|hi|thanks|thank you|please|yes|no|so|sorry|goodbye)\b/iu,
  /^(?:is|are|was|were|must|should|will|can|may)\b/iu,
  // The rules know nothing about the letter's reader or writer.
  /^(?:his|her|their|its)\b|\b(?:you|your|yours|yourself|this person)\b|\bthe (?:person|client|customer|reader|recipient)s?(?:['’]s?\b|['’] |$)/iu,
]
const partOfLetter =
  /\b(?:link|greeting|question|signature|call to action|ps|postscript|joke|compliment|subject|emoji|table|list|picture|image|attachment|paragraph|sentence|line|date|disclaimer)s?$/iu

/** What "mention …" asks for, as words that fit after "let me also mention", and what else it forbids. */
function objectOf(verb: string, clause: string): { object: string; never: string } {
  const none = /^(?:no|nothing (?:about|of|on)|no word (?:about|of|on)) (.+)$/iu.exec(clause)?.[1]
  if (none) return { object: '', never: none }
  const [wanted = '', unwanted = ''] = clause.split(/,? (?:but (?:not|never|no)|not) (?!only\b)/iu)
  let object = wanted
    .split(/,? (?:rather than|instead of) /iu)[0]!
    .replace(/^(?:something |a (?:word|few words|line|sentence) )?(?:about|on|regarding) /iu, '')
  // Two such words at the end are usual; more are not read.
  for (let i = 0; i < 3; i++) object = object.replace(places, '')
  const hidden =
    unsayable.some((pattern) => pattern.test(object)) ||
    (/^include/iu.test(verb) && partOfLetter.test(object))
  return { object: hidden ? '' : object.trim(), never: unwanted }
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
  // Only if one of the verbs follows; otherwise the search would start again at every “nicht”.
  const verbAt = [...rest.matchAll(verbGerman)].at(-1)
  if (verbAt)
    book.never.push(...phrasesOf(take(forbiddingGerman, verbAt.index + verbAt[0].length) ?? ''))
  const quoted = quote.exec(rest)?.[1]
  if (quoted && greeting.test(rest)) return set('greeting', quoted)
  if (quoted && subject.test(rest)) return set('subject', quoted)
  const name = take(signing) ?? take(signingGerman)
  if (name) book.signAs = unquoted(name.replace(joint, ''))
  const language = languages.find(([, pattern]) => pattern.test(rest))
  if (language && !/\b(?:never|not)\b/i.test(rest)) {
    book.language = language[0]
    known = true
  }
  if (!/\b(?:if|when|unless)\b/i.test(rest) && readAsked(rest, book)) known = true
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

// "Discounts, prices or guarantees": each is forbidden. More than five words are a condition, not a phrase.
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
