import { folded, pairsOf, wordsOf } from './words.ts'

/** One word or several in their order; `begins` if the last may go on. */
export type Part = { words: string[]; begins: boolean; digits: string | null }
export type Query = { all: Part[]; none: Part[] }

/** The shortest digits or letters that are found within a number or a name. */
const shortestWithin = 3
/** Digits in several groups are one number from here on, such as a phone number. */
const shortestNumber = 7

const piece = /(-?)(?:"([^"]*)"?|(\S+))/gu

/** What a caller looks for; undefined if it names no word that must be there. */
export function readQuery(q: string): Query | undefined {
  const query: Query = { all: [], none: [] }
  const pieces = grouped([...q.replace(/[“”„«»]/g, '"').matchAll(piece)])
  for (const [i, { not, quoted, text }] of pieces.entries()) {
    const begins = !quoted && !not && i === pieces.length - 1
    const part = partOf(text, begins)
    if (part) (not ? query.none : query.all).push(part)
  }
  return query.all.length > 0 ? query : undefined
}

type Piece = { not: boolean; quoted: boolean; text: string }

/** The pieces of a query; groups of digits that stand beside each other are one. */
function grouped(matches: RegExpMatchArray[]): Piece[] {
  const pieces: Piece[] = []
  for (const [whole, minus, phrase, plain] of matches) {
    const before = pieces.at(-1)
    const text = phrase ?? plain ?? ''
    const isNumber = (one: string) => /^[+(]*\d[\d()/.-]*$/.test(one)
    const both = `${before?.text} ${text}`
    if (
      before &&
      phrase === undefined &&
      minus === '' &&
      !before.quoted &&
      isNumber(text) &&
      /^[+(]*[\d()/. -]+$/.test(before.text) &&
      (before.text.startsWith('+') || both.replace(/\D/g, '').length >= shortestNumber)
    )
      before.text = both
    else pieces.push({ not: minus === '-', quoted: phrase !== undefined, text: text || whole })
  }
  return pieces
}

function partOf(text: string, begins: boolean): Part | undefined {
  const found = wordsOf(folded(text))
  const last = found.at(-1)
  if (!last) return undefined
  const words = found.flatMap(({ word, isRun }) => (isRun ? pairsOf(word) : [word]))
  const digits = found.map(({ word }) => word).join('')
  const isOne = last.isRun && [...last.word].length === 1
  return {
    words,
    begins: isOne || (begins && !last.isRun),
    digits: /^\d+$/.test(digits) && digits.length >= shortestWithin ? digits : null,
  }
}

/** The tsquery of a query. Each word stands in quotes and holds no mark, because marks are between words. */
export function tsqueryOf({ all, none }: Query, prefix: string): string {
  return [
    ...all.map((part) => partQuery(part, prefix, ' <-> ')),
    ...none.map((part) => `!${partQuery(part, prefix, ' <-> ')}`),
  ].join(' & ')
}

/** A beginning this short has so many words that an index reads long lists for it. */
const shortBeginning = 2

/**
 * The part of a query that an index of words can say something about, at little cost: all that the query finds has it, and more.
 * Words of a phrase stand anywhere, and beginnings of a letter or two are left to the query itself, if there is anything else.
 */
export function indexedOf({ all }: Query, prefix: string): string {
  const isShort = ({ words, begins }: Part) =>
    begins && words.length === 1 && [...(words[0] ?? '')].length <= shortBeginning
  const long = all.filter((part) => !isShort(part))
  return (long.length > 0 ? long : all).map((part) => partQuery(part, prefix, ' & ')).join(' & ')
}

function partQuery({ words, begins, digits }: Part, prefix: string, between: string): string {
  const lexeme = (word: string, goesOn: boolean) => `'${prefix}${word}'${goesOn ? ':*' : ''}`
  const choices = [
    words.map((word, i) => lexeme(word, begins && i === words.length - 1)).join(between),
  ]
  const [only = ''] = words
  const within = digits ?? (words.length === 1 && begins ? only : '')
  if ([...within].length >= shortestWithin) choices.push(lexeme(`#${within}`, true))
  if (digits) choices.push(lexeme(digits, true))
  return `(${choices.map((choice) => `(${choice})`).join(' | ')})`
}
