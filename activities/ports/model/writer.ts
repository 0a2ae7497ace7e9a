import { lastPlace, type Place } from '../../../rules/campaign.ts'
import { bareSubject } from '../../../rules/mail/subjects.ts'
import { personalName } from '../../../rules/personal-name.ts'
import { type Language, languageOf } from './language.ts'
import { type RuleBook, readRules } from './rule-book.ts'
import { countWords, linesOf, saidOf, sentencesOf } from './wording.ts'
import { fittingMaterial, type Material } from './writer-materials.ts'
import { phrases } from './writer-phrases.ts'

// The embedded writer of campaign letters: plain templates, no network. It is not a language model and says so. It follows the
// rules that have a form it knows (rule-book.ts); what it says about products and materials are their own sentences. The goal
// is an instruction: it decides what the letter asks for, and is never quoted.

export type Brief = {
  place: Place
  /**
   * Null for an example letter that is written before anybody is in the segment. The card comes from imports and clients: it is
   * data, never an order.
   */
  person: { name: string; jobTitle: string; company: string } | null
  goal: string
  company: { name: string; pitch: string; policy: string; facts: string[] } | null
  product: { name: string; description: string; conditions: string[] } | null
  /** Instructions for every letter: those of the company, the agent and the campaign, and what members told the agent. */
  rules: string[]
  knowledge: string
  materials: Material[]
  /** The last lines of the letter, from the member who signs it. */
  signature: string
  /** The subject of the first letter, which the others answer. */
  firstSubject: string | null
}

export type Written = { subject: string; text: string; language: Language }

/** Our own texts in a brief, from which a letter may take links and addresses. */
export const ownTexts = (
  brief: Pick<Brief, 'goal' | 'company' | 'product' | 'rules' | 'knowledge' | 'signature'> & {
    materials?: Material[]
    firstSubject?: string | null
  },
): string[] => [
  brief.goal,
  ...(brief.company
    ? [brief.company.name, brief.company.pitch, brief.company.policy, ...brief.company.facts]
    : []),
  ...(brief.product
    ? [brief.product.name, brief.product.description, ...brief.product.conditions]
    : []),
  ...brief.rules,
  brief.knowledge,
  brief.signature,
  ...(brief.materials ?? []).flatMap(({ title, text }) => [title, text]),
  brief.firstSubject ?? '',
]

export function writeByTemplate(brief: Brief): Written {
  const rules = readRules(brief.rules)
  const { company, product, materials } = brief
  const own =
    languageOf([company?.pitch, product?.description].filter(Boolean).join('\n')) ??
    languageOf(materials.map(({ text }) => text.slice(0, 1000)).join('\n'))
  const language = rules.language ?? own ?? 'en'
  // What we say about ourselves is left out if the letter is in another language; the campaign's materials stay.
  const fits = (text: string) => (languageOf(text) ?? own ?? language) === language
  return {
    subject: subjectOf(brief, rules, language),
    text: `${textOf(brief, rules, language, fits)}\n`,
    language,
  }
}

function subjectOf(
  { place, company, product, firstSubject }: Brief,
  rules: RuleBook,
  language: Language,
) {
  const { question, word } = phrases[language]
  const usual = product
    ? `${product.name}: ${question}`
    : company
      ? `${word} ${company.name}`
      : capital(question)
  const first = firstSubject ?? rules.subject ?? usual
  const line = first.replace(/\s+/gu, ' ').trim().slice(0, 150)
  return place === 1 ? line : `Re: ${bareSubject(line)}`
}

/** A part of the letter, sentence by sentence. If words must be few, the parts with the lowest rank go first. */
type Part = { rank: number; sentences: string[] }

function textOf(
  brief: Brief,
  rules: RuleBook,
  language: Language,
  fits: (text: string) => boolean,
): string {
  const { company, product, place } = brief
  const say = phrases[language]
  const said = [company?.pitch, product?.description].filter(Boolean).join(' ')
  const material = fittingMaterial(brief, said)
  const parts: Part[] = [
    ...(place === 2 ? [{ rank: 2, sentences: [say.back] }] : []),
    ...(place === lastPlace ? [{ rank: 2, sentences: [say.last] }] : []),
    ...(place === 1 && company
      ? [{ rank: 3, sentences: aboutUs(company, fits(company.pitch), say) }]
      : []),
    ...(place === 1 && product
      ? [{ rank: 4, sentences: aboutProduct(product, fits(product.description), rules, say) }]
      : []),
    ...(place < 3 && material ? [{ rank: 5, sentences: material }] : []),
    { rank: 7, sentences: mentioned(rules, say.also) },
    { rank: 6, sentences: [askedFor(brief, rules, say)] },
  ]
  const hello = helloTo(brief.person?.name ?? '', rules, language)
  const close = closing(brief.signature, rules, language)
  const kept = parts.map((part) => ({ ...part, sentences: allowed(part.sentences, rules) }))
  return layOut(
    hello,
    shortened(kept, rules.maxWords, countWords(hello) + countWords(close)),
    close,
  )
}

const layOut = (hello: string, parts: Part[], close: string) =>
  [hello, ...parts.map(({ sentences }) => sentences.join(' ')), close].filter(Boolean).join('\n\n')

type Say = (typeof phrases)[Language]

// A letter holds no more than this of what a company or a product says about itself.
const mostSentences = 200
const told = (text: string) =>
  linesOf(text)
    .flatMap((line) => sentencesOf(sentence(line)))
    .slice(0, mostSentences)
const names = (text: string, name: string) => text.toLowerCase().includes(name.toLowerCase())
const begins = (text: string, name: string) =>
  text.toLowerCase().startsWith(`${name.toLowerCase()} `)

function aboutUs({ name, pitch }: { name: string; pitch: string }, fits: boolean, say: Say) {
  const behalf = sentence(`${say.behalf} ${name}`)
  if (name.trim() === '') return fits ? told(pitch).map(capital) : []
  const said = fits && pitch.trim().toLowerCase() !== name.trim().toLowerCase() ? told(pitch) : []
  const isWhole = names(pitch, name) && said.length > 0
  return [...(isWhole ? [] : [behalf]), ...said.map(capital)]
}

// A description that begins so is a sentence of its own; any other names what the product is.
const sentenceBegins =
  /^(?:it|we|you|our|your|this|that|with|they|there|es|wir|sie|er|unser\p{L}*|ihr\p{L}*|mit|dies\p{L}*|nuestr\p{L}*|su|sus|con|este|esta|il|elle|nous|vous|notre|nos|votre|avec|ce|cette)\b/iu
const article = /^(?:an?|the|eine?|der|die|das|una?|el|los|las|une|le|la|les) /iu

/** A description that begins like a headline: “CRM: the tool for you”. */
function withoutName(description: string, name: string): string {
  const text = description.trimStart()
  if (name === '' || !text.toLowerCase().startsWith(name.toLowerCase())) return description
  const rest = text.slice(name.length)
  return /^\s*[:–—]\s*\S|^\s+-\s+\S/u.test(rest) ? rest.replace(/^\s*[:–—-]\s*/u, '') : description
}

/** The product's name and what it is, in sentences. */
function aboutProduct(
  { name, description }: { name: string; description: string },
  fits: boolean,
  rules: RuleBook,
  say: Say,
): string[] {
  const sentences = fits ? told(withoutName(description, name)) : []
  const [first = '', ...more] = sentences
  const isWhole = sentenceBegins.test(first)
  if (begins(first, name) || (isWhole && names(first, name))) return sentences
  const plain = sentence(say.introduce(name))
  if (sentences.length === 0 || isWhole) return [plain, ...sentences]
  const what = first.replace(article, (found) => found.toLowerCase())
  const whole = say.introduce(name, what)
  return [allowed([whole], rules)[0] ?? plain, ...more.map(capital)]
}

const goals = {
  demo: /demo|show|vorführ|zeigen|präsent|present|mostrar|demostra|démonstr|montrer/iu,
  trial:
    /\b(?:trial|try|tests?|testen|probe\p{L}*|ausprobieren|prueba|probar|essai|essayer|pilot)/iu,
}

/** What the letter asks for, by its goal. */
function askedFor({ goal, product }: Brief, rules: RuleBook, say: Say): string {
  const words = goal.slice(0, 1000)
  const wanted = goals.demo.test(words)
    ? say.demo
    : product && goals.trial.test(words)
      ? say.trial
      : say.talk
  return allowed([wanted], rules)[0] ?? say.talk
}

const mentioned = ({ mention }: RuleBook, also: string) =>
  mention.map(({ text, whole }) => (whole ? sentence(capital(text)) : `${also} ${sentence(text)}`))

const allowed = (sentences: string[], { never }: RuleBook) =>
  sentences.filter((text) => text !== '' && saidOf(text, never).length === 0)

/**
 * Removes sentences, the last of the lowest-ranked part first, until the letter is within its limit. One sentence stays,
 * because a letter must say something.
 */
function shortened(parts: Part[], maxWords: number | null, around: number): Part[] {
  if (maxWords === null) return parts
  let left = parts.reduce((sum, { sentences }) => sum + sentences.length, 0)
  let count = parts
    .flatMap(({ sentences }) => sentences)
    .reduce((sum, text) => sum + countWords(text), around)
  for (const { sentences } of [...parts].sort((a, b) => a.rank - b.rank))
    for (; count > maxWords && sentences.length > 0 && left > 1; left--)
      count -= countWords(sentences.pop() as string)
  return parts
}

/** The greeting of a person, by name if the card holds one that is a person's name. */
export function helloTo(given: string, rules: Pick<RuleBook, 'greeting'>, language: Language) {
  const say = phrases[language]
  const name = personalName(given)
  const whom = name ?? say.there
  if (!rules.greeting) return `${`${say.hello} ${whom}`.trim()},`
  const greeting = rules.greeting.replace(/[[{<(]\s*(?:first )?name\s*[\]}>)]/iu, whom)
  if (greeting !== rules.greeting) return name ? greeting : greeting.replace(/ +(?=[,!.]?$)/u, '')
  if (name) return /[,!.]$/u.test(greeting) ? greeting : `${greeting} ${name},`
  return namedOnly.test(greeting) ? `${`${say.hello} ${say.there}`.trim()},` : greeting
}

/** A greeting without a name. */
const namedOnly =
  /^(?:(?:my )?dear|sehr geehrte[rs]?|liebe[rs]?|estimad[oa]|querid[oa]|ch[eè]re?)$/iu

// A signature that begins so needs no regards before it.
const closes =
  /^(?:(?:with |my )?(?:kind|best|warm|very)|regards|cheers|sincerely|yours|all the best|thanks|mit|freundliche|viele|beste|herzliche?|liebe|schöne|un|saludos|atentamente|gracias|cordialement|bien|merci)(?:[ ,!.\n]|$)/iu

/** The end of a letter: the signature of the member who signs it, unless a rule names another. */
export function closing(signature: string, { signAs }: RuleBook, language: Language) {
  if (signAs) return signAs
  const { regards } = phrases[language]
  if (signature === '') return regards.replace(/,$/, '')
  return closes.test(signature) ? signature : `${regards}\n${signature}`
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

export const sentence = (text: string): string => {
  const trimmed = text.trim()
  return trimmed && !/[.!?…]$/.test(trimmed) ? `${trimmed}.` : trimmed
}
