import { fold, stem } from '../../../rules/judge/vocabulary.ts'

// Finds sentences, words and phrases in texts that tenants write. The time is proportional to the length of the text, and the
// search for phrases does not depend on how many there are.

/** The sentences of a text; the end of a line also ends a sentence. */
export const sentencesOf = (text: string): string[] =>
  text
    .split(/\n+|(?<=[.!?;])\s+/u)
    .map((sentence) => sentence.trim())
    .filter(Boolean)

const mark = /^(?:[-*•–—>]|#{1,6})\s+/u

/** The paragraphs of a text, without the marks of lists and headings. Lines may be broken within a sentence. */
export function linesOf(text: string): string[] {
  const parts: string[][] = [[]]
  for (const line of text.split('\n')) {
    const plain = line.trim()
    if (plain === '' || mark.test(plain)) parts.push([])
    parts.at(-1)?.push(plain.replace(mark, ''))
    if (/^#{1,6}\s/u.test(plain)) parts.push([])
  }
  return parts.map((lines) => lines.join(' ').trim()).filter((part) => /[\p{L}\p{N}]/u.test(part))
}

export const countWords = (text: string): number => text.match(/\S+/gu)?.length ?? 0

const stemsOf = (text: string) =>
  (fold(text).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => stem(word))

/** Phrases by their stems, one stem a level; `phrases` are those that end here. */
type Branch = { next: Map<string, Branch>; phrases: string[] }
const branch = (): Branch => ({ next: new Map(), phrases: [] })

// A longer phrase is covered by its first words.
const mostStems = 20
const indexes = new WeakMap<string[], Branch>()

function indexOf(phrases: string[]): Branch {
  const known = indexes.get(phrases)
  if (known) return known
  const root = branch()
  for (const phrase of phrases) {
    let at = root
    for (const word of stemsOf(phrase).slice(0, mostStems)) {
      const next = at.next.get(word) ?? branch()
      at.next.set(word, next)
      at = next
    }
    if (at !== root) at.phrases.push(phrase)
  }
  indexes.set(phrases, root)
  return root
}

/** Which of the phrases occur in a text, in any number or case. A list that does not change is indexed once. */
export function saidOf(text: string, phrases: string[]): string[] {
  if (phrases.length === 0) return []
  const root = indexOf(phrases)
  const said = new Set<string>()
  const words = stemsOf(text)
  for (let from = 0; from < words.length; from++) {
    let at: Branch | undefined = root
    for (let i = from; i < words.length; i++) {
      at = at.next.get(words[i] as string)
      if (!at) break
      for (const phrase of at.phrases) said.add(phrase)
    }
  }
  return [...said]
}

/**
 * A text without the characters at its ends that `isOuter` accepts. A regular expression for the end would scan each run again
 * and again.
 */
export function stripped(text: string, isOuter: (char: string) => boolean): string {
  let from = 0
  let to = text.length
  while (from < to && isOuter(text[from] as string)) from++
  while (to > from && isOuter(text[to - 1] as string)) to--
  return text.slice(from, to)
}
