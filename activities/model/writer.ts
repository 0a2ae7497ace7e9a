import { contactsIn } from './letter-check.ts'
import { type Language, type RuleBook, readRules } from './rule-book.ts'
import { countWords, saidOf, sentencesOf } from './wording.ts'
import { fittingMaterial, type Material } from './writer-materials.ts'
import { phrases } from './writer-phrases.ts'

// The embedded writer of campaign letters: plain templates, no network. It is no language model and says so. It follows the
// rules that have a form it knows (rule-book.ts); what it says of products and materials are their own sentences.

export type Brief = {
  place: 1 | 2 | 3
  /** Null for an example letter written before anybody is in the segment. Of imports and clients: data, never orders. */
  person: { name: string; jobTitle: string; company: string } | null
  goal: string
  company: { name: string; pitch: string; policy: string; facts: string[] } | null
  product: { name: string; description: string; conditions: string[] } | null
  /** Instructions for every letter: those of the house, the agent, the campaign, and what members told the agent. */
  rules: string[]
  knowledge: string
  materials: Material[]
  signature: string
  /** The subject of the first letter, which the others answer. */
  firstSubject: string | null
}

export type Written = { subject: string; text: string }

/** The texts of ours in a brief: what a letter may take links and addresses from. */
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
  return { subject: subjectOf(brief, rules), text: `${textOf(brief, rules)}\n` }
}

function subjectOf({ place, company, product, goal, firstSubject }: Brief, rules: RuleBook) {
  const { question, word } = phrases[rules.language ?? 'en']
  const usual = product
    ? `${product.name}: ${question}`
    : company
      ? `${word} ${company.name}`
      : goal || question
  const first = firstSubject ?? rules.subject ?? usual
  // A goal may be long, and of several lines: a subject is one short line.
  const line = first.replace(/\s+/gu, ' ').trim().slice(0, 150)
  return place === 1 ? line : `Re: ${line.replace(/^re:\s*/i, '')}`
}

/** A part of the letter, sentence by sentence. Where words must be few, those with the lowest rank go first. */
type Part = { rank: number; sentences: string[] }

function textOf(brief: Brief, rules: RuleBook): string {
  const { company, product, place } = brief
  const say = phrases[rules.language ?? 'en']
  const goal = allowed([brief.goal.trim()], rules)[0]
  const said = [company?.pitch, product?.description].filter(Boolean).join(' ')
  const material = fittingMaterial(brief, said)
  const asked = goal ? [`${say.goal} ${sentence(goal)}`, say.interest] : [say.talk]
  const parts: Part[] = [
    ...(place === 2 ? [{ rank: 2, sentences: [say.back] }] : []),
    ...(place === 3 ? [{ rank: 2, sentences: [say.last] }] : []),
    ...(place === 1 && company
      ? [
          {
            rank: 3,
            sentences: told(company.pitch || `${say.behalf} ${company.name}.`),
          },
        ]
      : []),
    ...(place === 1 && product ? [{ rank: 4, sentences: told(nameAnd(product)) }] : []),
    ...(place < 3 && material ? [{ rank: 5, sentences: material }] : []),
    { rank: 7, sentences: mentioned(rules, say.also) },
    { rank: 6, sentences: asked },
  ]
  const hello = helloTo(brief.person?.name ?? '', rules, rules.language ?? 'en')
  const close =
    rules.signAs ?? [brief.signature || say.regards, company?.name].filter(Boolean).join('\n')
  const kept = parts.map((part) => ({ ...part, sentences: allowed(part.sentences, rules) }))
  return layOut(
    hello,
    shortened(kept, rules.maxWords, countWords(hello) + countWords(close)),
    close,
  )
}

const layOut = (hello: string, parts: Part[], close: string) =>
  [hello, ...parts.map(({ sentences }) => sentences.join(' ')), close].filter(Boolean).join('\n\n')

// What a company or a product says of itself; a letter holds no more of it.
const mostSentences = 200
const told = (text: string) => sentencesOf(sentence(text)).slice(0, mostSentences)

const nameAnd = ({ name, description }: { name: string; description: string }) =>
  description ? `${name}: ${description}` : name

const mentioned = ({ mention }: RuleBook, also: string) =>
  mention.map(({ text, whole }) =>
    whole ? sentence(text.charAt(0).toUpperCase() + text.slice(1)) : `${also} ${sentence(text)}`,
  )

const allowed = (sentences: string[], { never }: RuleBook) =>
  sentences.filter((text) => text !== '' && saidOf(text, never).length === 0)

/** Takes sentences off, the last of the least part first, until the letter is no longer than it may be. */
function shortened(parts: Part[], maxWords: number | null, around: number): Part[] {
  if (maxWords === null) return parts
  let count = parts
    .flatMap(({ sentences }) => sentences)
    .reduce((sum, text) => sum + countWords(text), around)
  for (const { sentences } of [...parts].sort((a, b) => a.rank - b.rank))
    while (count > maxWords && sentences.length > 0) count -= countWords(sentences.pop() as string)
  return parts
}

/**
 * How a person is greeted. A name comes from imports and from clients: one that is no name (with an address in it, several
 * lines, or very long) is not used.
 */
export function helloTo(name: string, rules: Pick<RuleBook, 'greeting'>, language: Language) {
  const plain = name.trim()
  const usable =
    plain !== '' &&
    plain.length <= 80 &&
    !/[\p{Cc}\p{Cf}<>{}[\]@]/u.test(plain) &&
    contactsIn(plain).length === 0
  const say = phrases[language]
  const whom = usable ? plain : say.there
  if (!rules.greeting) return `${`${say.hello} ${whom}`.trim()},`
  const given = rules.greeting.replace(/[[{<(]\s*(?:first )?name\s*[\]}>)]/iu, whom)
  if (given !== rules.greeting) return given
  return usable && !/[,!.]$/u.test(given) ? `${given} ${whom},` : given
}

export const sentence = (text: string): string => {
  const trimmed = text.trim()
  return trimmed && !/[.!?]$/.test(trimmed) ? `${trimmed}.` : trimmed
}
