import type { CountryCode } from 'libphonenumber-js/min'
import type { Side } from '../sides.ts'
import { countryCoded, countryNamed } from './places.ts'
import {
  articles,
  both,
  completions,
  either,
  fold,
  generic,
  having,
  idle,
  negations,
  type Possession,
  places,
  possessions,
  sides,
  starters,
  stem,
} from './vocabulary.ts'

// Turns a description in words into conditions. All clauses must hold; of a clause's alternatives, one must hold; of an
// alternative, all terms. "Sales directors in Berlin or Munich, not at Acme" is (sales and director) and (Berlin or Munich) and
// not (Acme). Known limits: "and" joins conditions, except after a place, where it lists; a negation extends to the end of the
// sentence.

export type Where = 'any' | 'in' | 'near' | 'from' | 'at'
export type Term = {
  /** As written. */
  shown: string
  stems: string[]
  where: Where
  side?: Side
  country?: CountryCode
  /** A domain, or a whole address. */
  address?: string
  has?: Possession
}
export type Clause = { not: boolean; alternatives: Term[][] }

const joinsBut = new Set([...negations, 'only'])

type Token = { raw: string; word: string; mark: '' | ',' | '.' }

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  const pattern = /([,;/|]|[.!?\n]+(?=\s|$)|\n)|(@?[\p{L}\p{N}]+(?:['’&._+@-]+[\p{L}\p{N}]+)*)/gu
  for (const [, mark, raw] of text.normalize('NFC').matchAll(pattern)) {
    if (raw) tokens.push({ raw, word: fold(raw).replace(/['’]s$/, ''), mark: '' })
    else if (mark === '/' || mark === '|') tokens.push({ raw: 'or', word: 'or', mark: '' })
    else tokens.push({ raw: '', word: '', mark: mark === ',' ? ',' : '.' })
  }
  return tokens
}

/** The conditions of a text; none if it asks for everyone. With `negated`, the text describes what must not hold. */
export function parseWords(text: string, negated = false): Clause[] {
  const tokens = tokensOf(text)
  const clauses: Clause[] = []
  let where: Where = 'any'
  const clause = () => clauses.at(-1)!
  const terms = () => clause().alternatives.at(-1)!
  const isEmpty = () => clause().alternatives.flat().length === 0
  const orElse = () => void clause().alternatives.push([])
  const open = (not: boolean) => {
    clauses.push({ not, alternatives: [[]] })
    where = 'any'
  }
  open(negated)

  for (let i = 0; i < tokens.length; i++) {
    const { word, mark } = tokens[i]!
    const { not } = clause()
    if (mark === '.') open(negated)
    else if (mark === ',') {
      if (!not && !isPlace(where) && !listsAlternatives(tokens, i)) open(false)
      else if (isQualifier(tokens, i, clause())) i += termAt(tokens, i + 1, where).width
      else orElse()
    } else if (word === 'but' && joinsBut.has(tokens[i + 1]?.word ?? '')) continue
    else if (negations.has(word)) {
      if (isEmpty()) clause().not = !not
      else open(!negated)
    } else if (either.has(word)) orElse()
    else if (both.has(word)) {
      if (not || isPlace(where)) orElse()
    } else if (places.has(word)) {
      if (!not && terms().length > 0) open(false)
      where = places.get(word)!
    } else if (starters.has(word)) {
      if (!not && !isEmpty()) open(false)
      where = 'any'
    } else {
      const { term, width } = termAt(tokens, i, where)
      if (term) terms().push(term)
      i += width - 1
    }
  }
  return clauses
    .map(({ not, alternatives }) => ({
      not,
      alternatives: alternatives.filter((all) => all.length > 0),
    }))
    .filter(({ alternatives }) => alternatives.length > 0)
}

const isPlace = (where: Where) => where !== 'any'

// "Berlin, Germany" means Berlin; "Germany, Austria" and "Berlin, Munich" are lists.
function isQualifier(tokens: Token[], comma: number, { alternatives }: Clause): boolean {
  const { term, width } = termAt(tokens, comma + 1, 'in')
  const before = alternatives.length === 1 ? alternatives.flat() : []
  if (!term?.country || before.length === 0 || before.some(({ country }) => country)) return false
  const after = tokens[comma + 1 + width]
  return after?.mark !== ',' && !either.has(after?.word ?? '') && !both.has(after?.word ?? '')
}

// "CEOs, CTOs or CFOs": the comma means the same as the last conjunction of its list.
function listsAlternatives(tokens: Token[], from: number): boolean {
  for (const { word, mark } of tokens.slice(from)) {
    if (either.has(word)) return true
    if (
      mark === '.' ||
      both.has(word) ||
      places.has(word) ||
      starters.has(word) ||
      negations.has(word)
    )
      return false
  }
  return false
}

/** The term that begins at a token, and how many tokens it takes; no term for words that set no condition. */
function termAt(tokens: Token[], at: number, where: Where): { term?: Term; width: number } {
  for (let width = 4; width > 0; width--) {
    const part = tokens.slice(at, at + width)
    if (part.length < width || part.some((token) => token.mark)) continue
    const shown = part.map((token) => token.raw).join(' ')
    const country = countryNamed(part.map((token) => token.word).join(' '))
    if (country)
      return {
        term: { shown, stems: part.map((token) => stem(token.word)), where, country },
        width,
      }
  }
  const token = tokens[at]
  if (!token || token.mark) return { width: 1 }
  const { raw, word } = token
  let last = at - 1
  while (articles.has(tokens[last]?.word ?? '')) last--
  const before = tokens[last]
  const has = before && having.has(before.word) && possessions.get(stem(word.replaceAll('-', '')))
  // "A phone number", "an e-mail address" and "a LinkedIn profile" are two words each.
  const width = completions.has(tokens[at + 1]?.word ?? '') ? 2 : 1
  if (has) return { term: { shown: raw, stems: [], where, has }, width }
  const coded = isPlace(where) ? countryCoded(raw) : undefined
  if (coded) return { term: { shown: raw, stems: [stem(word)], where, country: coded }, width: 1 }
  if (generic.has(word) || idle.has(word)) return { width: 1 }
  if (/^@|[^@.]\.[^.]|@/.test(word))
    return { term: { shown: raw, stems: [], where, address: word.replace(/^@/, '') }, width: 1 }
  const base = stem(word.replace(/[^\p{L}\p{N}]/gu, ''))
  const side = sides.get(base)
  return { term: { shown: raw, stems: [base], where, ...(side && { side }) }, width: 1 }
}
