import { cut } from '../text.ts'
import type { Rule, Verdict } from './member-rules.ts'
import { type Holding, type JudgedPerson, type Portrait, portray, termHolds } from './person.ts'
import { type Clause, parseWords, type Term } from './words.ts'

// The embedded judge of segments: plain rules over the words of the description and the content of a person's card. It is
// deterministic, needs no network and no model, and each reason says so. A model can replace it.

export type { Rule, Verdict } from './member-rules.ts'
export type { JudgedPerson } from './person.ts'

const signature = 'Judged by plain word rules.'
// Nobody reads a longer reason.
const longestReason = 1000

/**
 * Everything that the query asks for and every `only` must hold, and no `except` may. A query without a recognisable condition
 * ("everyone") matches all; a word that is found nowhere on a card is a condition that the card fails. The interface leaves
 * open how words are understood: see words.ts.
 */
export const judgeByWords = (query: string, rules: Rule[], people: JudgedPerson[]): Verdict[] =>
  judgeFor(query, rules, people, Number.POSITIVE_INFINITY)

/** The same for as many people, from the first on, as can be judged in `mostMs`, but for at least one. */
export function judgeFor(
  query: string,
  rules: Rule[],
  people: JudgedPerson[],
  mostMs: number,
): Verdict[] {
  const started = performance.now()
  const asked = understood(query, rules)
  const verdicts: Verdict[] = []
  for (const person of people) {
    const { matches, reason } = verdictOn(asked, portray(person))
    verdicts.push({ matches, reason: `${shortened(reason)}. ${signature}` })
    if (performance.now() - started > mostMs) break
  }
  return verdicts
}

type Demand = { name: string; clauses: Clause[] }
type Asked = { wanted: Clause[]; demands: Demand[] }

// Cached, because a segment is judged in many steps.
let last: { key: string; asked: Asked } | undefined

function understood(query: string, rules: Rule[]): Asked {
  const key = JSON.stringify([query, rules.map(({ kind, text }) => [kind, text])])
  if (last?.key === key) return last.asked
  const demands = rules.map(({ kind, text = '' }) => ({
    name: `“${kind} ${text}”`,
    clauses: parseWords(text, kind === 'except'),
  }))
  last = { key, asked: { wanted: parseWords(query), demands } }
  return last.asked
}

function verdictOn({ wanted, demands }: Asked, portrait: Portrait): Verdict {
  const first = failure(wanted, portrait)
  if (first) return { matches: false, reason: first }
  for (const { name, clauses } of demands) {
    const broken = failure(clauses, portrait)
    if (broken) return { matches: false, reason: `Against the rule ${name}: ${broken}` }
  }
  const clauses = [...wanted, ...demands.flatMap((demand) => demand.clauses)]
  return { matches: true, reason: success(clauses, portrait) }
}

const shortened = (reason: string) =>
  reason.length > longestReason ? `${cut(reason, longestReason)}…` : reason

/** What a person lacks, or has although it is excluded; undefined if every clause holds. */
function failure(clauses: Clause[], portrait: Portrait): string | undefined {
  for (const clause of clauses) {
    const held = holds(clause, portrait)
    if (clause.not && held) return `excluded by ${shown(held)}`
    if (!clause.not && !held) return `lacks ${clause.alternatives.map(words).join(' or ')}`
  }
  return undefined
}

function success(clauses: Clause[], portrait: Portrait): string {
  const held = clauses.flatMap((clause) => (clause.not ? [] : (holds(clause, portrait) ?? [])))
  if (held.length > 0) return `Matches ${shown(held)}`
  return clauses.length > 0
    ? 'Matches: nothing excludes them'
    : 'Matches: the description sets no condition'
}

function holds({ alternatives }: Clause, portrait: Portrait): Holding[] | undefined {
  for (const terms of alternatives) {
    const held = all(terms, portrait)
    if (held) return held
  }
  return undefined
}

function all(terms: Term[], portrait: Portrait): Holding[] | undefined {
  // "Buyers of CRM" is about a single tag: if a side is named, only tags of that side count.
  const side = terms.find((term) => term.side)?.side
  const held: Holding[] = []
  for (const term of terms) {
    const by = termHolds(term, portrait, term.side ? undefined : side)
    if (!by) return undefined
    held.push({ words: term.shown, by })
  }
  return held
}

const words = (terms: Term[]) => terms.map((term) => term.shown).join(' ')

function shown(held: Holding[]): string {
  const parts: Holding[] = []
  for (const { words, by } of held) {
    const last = parts.at(-1)
    if (last?.by === by) last.words += ` ${words}`
    else parts.push({ words, by })
  }
  return parts.map(({ words, by }) => `“${words}” (${by})`).join(', ')
}
