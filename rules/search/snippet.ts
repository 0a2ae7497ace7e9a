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

function matchesIn(line: string, { all }: Query): [number, number][] {
  // Each character is folded by itself, and knows where it stood.
  const places: number[] = []
  let seen = ''
  let at = 0
  for (const character of line.normalize('NFC') === line ? line : line) {
    const one = folded(character)
    for (let i = 0; i < one.length; i++) places.push(at)
    seen += one
    at += character.length
  }
  places.push(at)
  const found: [number, number][] = []
  for (const part of all)
    for (const [from, to] of placesOf(seen, part)) {
      let end = places[to] ?? at
      // Marks behind the last letter belong to it.
      while (end < line.length && folded(String.fromCodePoint(line.codePointAt(end) ?? 32)) === '')
        end += 1
      found.push([places[from] ?? 0, Math.max(end, (places[to - 1] ?? 0) + 1)])
    }
  return merged(found.sort(([a], [b]) => a - b))
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
