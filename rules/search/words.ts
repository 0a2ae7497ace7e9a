import { classes } from './characters.ts'

// The words of a text as the index has them. Postgres makes them by the same rules where no code of ours wrote them
// (db/migrations/0103-search.ts); a test holds the two together.

const mark = new RegExp(`[${classes.marks}]`, 'gu')
const unspaced = new RegExp(`^[${classes.unspaced}]`, 'u')
const word = new RegExp(`[${classes.unspaced}]+|[^${classes.between}${classes.unspaced}\\0]+`, 'gu')
const others: Record<string, string> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ł: 'l', ø: 'o', đ: 'd', ð: 'd', ı: 'i', ς: 'σ' },
}
const other = /[ßæœþłøđðıς]/g

/** A text without case, accents and forms of the same letter. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(mark, '')
    .replace(other, (letter) => others[letter] as string)

/** A word of the index is no longer than this. */
const longestWord = 60

const cutWord = (characters: string) => [...characters].slice(0, longestWord).join('')

/** The words of a folded text; `isRun` of those in a script without blanks. */
export const wordsOf = (text: string): { word: string; isRun: boolean }[] =>
  (text.match(word) ?? []).map((found) => {
    const isRun = unspaced.test(found)
    return { word: isRun ? found : cutWord(found), isRun }
  })

/** A run of such a script by pairs; a single character stays one. */
export function pairsOf(run: string): string[] {
  const characters = [...run]
  if (characters.length === 1) return characters
  return characters.slice(0, -1).map((character, i) => character + characters[i + 1])
}

/** So much of a text is searched. */
const longestText = 20_000
/** As the places of words in Postgres. */
const lastPlace = 16_383
/** Digits that belong together are found from each of their digits on if there are so many. */
const shortestLongNumber = 5
const longestWithin = 40

/**
 * The words of a text with their places, as the text of a tsvector. Each begins with `prefix`. Long numbers, and with `isName` all
 * words, are there from each of their characters on too, behind a `#`. The words hold nothing that would have to be escaped.
 */
export function lexemesOf(prefix: string, text: string, isName = false): string {
  const places = new Map<string, number[]>()
  const within = new Set<string>()
  let place = 0
  const put = (word: string) => {
    place = Math.min(place + 1, lastPlace)
    const known = places.get(word)
    if (known) known.push(place)
    else places.set(word, [place])
  }
  for (const { word, isRun } of wordsOf(folded(text.slice(0, longestText).toWellFormed()))) {
    if (isRun) {
      for (const pair of pairsOf(word)) put(pair)
      if ([...word].length > 1) put([...word].at(-1) ?? '')
      continue
    }
    put(word)
    if (isName || (word.length >= shortestLongNumber && /^[0-9]+$/.test(word))) {
      const characters = [...word].slice(0, longestWithin)
      for (let i = 1; i <= characters.length - 3; i++) within.add(characters.slice(i).join(''))
    }
  }
  const all = [...places].map(([word, at]) => `'${prefix}${word}':${at.join()}`)
  for (const word of within) all.push(`'${prefix}#${word}'`)
  return all.join(' ')
}

/**
 * Parts of words, for lists that find a text anywhere in a name or a subject (`q`): each word from each of its characters on, behind a
 * `~`, so that a search finds nothing more by them. With `ends` only the last one and two characters: of a text whose words
 * `lexemesOf` has as a name's, no other part is missing.
 */
export function partLexemesOf(prefix: string, text: string, of: 'all' | 'ends' = 'all'): string {
  const parts = new Set<string>()
  for (const { word, isRun } of wordsOf(folded(text.slice(0, longestText).toWellFormed()))) {
    const characters = [...word]
    if (isRun) {
      if (of === 'ends') continue
      for (const pair of pairsOf(word)) parts.add(pair)
      parts.add(characters.at(-1) ?? '')
      continue
    }
    const within = characters.slice(0, longestWithin)
    const first = of === 'all' ? 0 : Math.max(1, within.length - 2)
    for (let i = first; i < within.length; i++) parts.add(within.slice(i).join(''))
  }
  return [...parts].map((part) => `'${prefix}~${part}'`).join(' ')
}

/** What stands in the index for a card: the words of `text`, and of `also` what lists find and a search does not (`q`). */
export const cardLexemesOf = (prefix: string, text: string, also: string): string =>
  [
    lexemesOf(prefix, text, true),
    partLexemesOf(prefix, text, 'ends'),
    partLexemesOf(prefix, also),
  ].join(' ')

/** The same for the subject of a conversation: its words, and the parts of them by which lists find it. */
export const subjectLexemesOf = (prefix: string, subject: string): string =>
  `${lexemesOf(prefix, subject)} ${partLexemesOf(prefix, subject)}`

/** Longer than this, the part of a word is cut: what it then finds besides is left out by whoever compares the text itself. */
const longestPart = 30

/**
 * For Postgres: what has all parts of words that a text consists of, and more; undefined if it has no word. What lies behind the
 * fortieth character of a word is not found.
 */
export function partsQueryOf(prefix: string, text: string): string | undefined {
  const parts = wordsOf(folded(text)).flatMap(({ word, isRun }) =>
    isRun ? pairsOf(word) : [[...word].slice(0, longestPart).join('')],
  )
  if (parts.length === 0) return undefined
  const each = [...new Set(parts)].map((part) =>
    ['', '#', '~'].map((mark) => `'${prefix}${mark}${part}':*`).join(' | '),
  )
  return each.map((choices) => `(${choices})`).join(' & ')
}
