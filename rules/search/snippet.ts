import type { Part, Query } from './query.ts'
import { folded } from './words.ts'

const longest = 200
/** So much stands before the first match. */
const before = 60
const mostMatches = 20

export type Snippet = { snippet: string; matches: [start: number, end: number][] }

/** A part of a text around what was looked for, on one line, and where that stands in it, in UTF-16 units. */
export function snippetOf(text: string, query: Query): Snippet {
  const line = text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  const found = matchesIn(line, query)
  const first = found[0]?.[0] ?? 0
  const start = line.length <= longest || first <= before ? 0 : atWord(line, first - before, first)
  const cut = line.slice(start, start + longest)
  const snippet = cut.isWellFormed() ? cut : cut.slice(0, -1)
  const matches = found
    .map(([from, to]): [number, number] => [from - start, Math.min(to - start, snippet.length)])
    .filter(([from, to]) => from >= 0 && from < to)
    .slice(0, mostMatches)
  return { snippet, matches }
}

/** The next beginning of a word, so that none is cut. */
function atWord(line: string, from: number, most: number): number {
  const blank = line.indexOf(' ', from)
  if (blank >= 0 && blank < most) return blank + 1
  return /[\udc00-\udfff]/.test(line[from] ?? '') ? from + 1 : from
}

const isWordAt = /[\p{L}\p{N}]$/u

/** Where the words stand, from the first one on and as far as a snippet may reach. */
function matchesIn(line: string, { all }: Query): [number, number][] {
  const seen = folded(line)
  const found = all.flatMap((part) => [...placesOf(seen, part)]).sort(([a], [b]) => a - b)
  const [first] = found
  if (!first) return []
  // The place in the line of each character that was folded, from the first match on.
  const [begins] = first
  const placeOf = (index: number) => places[index - begins]
  const places: number[] = []
  let at = 0
  let folds = 0
  let end = Infinity
  for (const character of line) {
    const length = foldedLength(character)
    if (folds + length > begins) {
      end = Math.min(end, at + longest)
      for (let i = Math.max(folds, begins); i < folds + length; i++) places[i - begins] = at
    }
    folds += length
    at += character.length
    if (at > end) break
  }
  places[folds - begins] = at
  return merged(
    found
      .filter(([, to]) => to <= folds)
      .map(([from, to]) => [
        placeOf(from) ?? 0,
        withMarks(line, placeOf(to) ?? at, placeOf(to - 1) ?? 0),
      ]),
  )
}

/** Marks behind the last letter belong to it. */
function withMarks(line: string, behind: number, last: number): number {
  let end = behind
  while (end < line.length && foldedLength(String.fromCodePoint(line.codePointAt(end) ?? 32)) === 0)
    end += 1
  return Math.max(end, last + 1)
}

const lengths = new Map<string, number>()
/** Known of the characters that were met last: a text has few different ones. */
function foldedLength(character: string): number {
  let length = lengths.get(character)
  if (length === undefined) {
    length = folded(character).length
    if (lengths.size >= 5_000) lengths.clear()
    lengths.set(character, length)
  }
  return length
}

const escaped = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

function* placesOf(seen: string, { words, begins, digits }: Part): Generator<[number, number]> {
  const isPairs = words.length > 1 && words.every((word) => [...word].length === 2)
  const joined = isPairs ? pairsJoined(words) : undefined
  const source = joined ? escaped(joined) : words.map(escaped).join('[^\\p{L}\\p{N}]{1,5}')
  const choices = [source, ...(digits ? [[...digits].join('[^\\p{L}\\p{N}]{0,3}')] : [])]
  const pattern = new RegExp(choices.join('|'), 'gu')
  const isWhole = !joined && !begins && !digits
  let count = 0
  for (const match of seen.matchAll(pattern)) {
    const end = match.index + match[0].length
    const isWithin = isWordAt.test(seen.slice(Math.max(0, match.index - 2), match.index))
    const goesOn = /^[\p{L}\p{N}]/u.test(seen.slice(end, end + 2))
    const isUnspaced = joined !== undefined || /[^\p{Script=Latin}\p{N}]/u.test(words[0] ?? '')
    if (!isUnspaced && isWhole && (isWithin || goesOn)) continue
    yield [match.index, end]
    if (++count === mostMatches) return
  }
}

/** The run that these pairs were made of; undefined if they are none. */
function pairsJoined(words: string[]): string | undefined {
  let run = words[0] ?? ''
  for (const word of words.slice(1)) {
    const [first = '', second = ''] = word
    if ([...run].at(-1) !== first) return undefined
    run += second
  }
  return run
}

function merged(found: [number, number][]): [number, number][] {
  const all: [number, number][] = []
  for (const [from, to] of found) {
    const last = all.at(-1)
    if (last && from < last[1]) last[1] = Math.max(last[1], to)
    else all.push([from, to])
  }
  return all
}
