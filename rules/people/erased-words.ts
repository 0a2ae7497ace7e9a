import { type Address, comparedForm } from '../addresses.ts'

// Takes what somebody has said, and who they are, out of what others have written. Pure: whoever calls it says whom it is about.

/** Who is being erased. */
export type Sought = {
  /** Their card, and those that became one with it. */
  people: string[]
  names: string[]
  addresses: Pick<Address, 'kind' | 'value' | 'given'>[]
  externalIds: string[]
}

/** Stands for a name, an address or a quoted block. */
export const erasedMark = '[…]'

export type Eraser = ReturnType<typeof eraserOf>

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** Longer ones first, so that no part of one is left. */
const oneOf = (forms: string[]) => [...new Set(forms)].sort((a, b) => b.length - a.length).join('|')

// A name of one word may be a word of the language too, so it counts only as it is spelt.
const isWhole = (name: string) => /\p{L}[\p{L}.'’-]*[\s,]+\p{L}/u.test(name)

/** A name as others write it: with other signs for blanks, as in names of files, and with the last part first. */
function nameForms(name: string): string[] {
  const parts = name
    .trim()
    .split(/[\s,]+/)
    .map(escaped)
  const blanks = '[\\s\\u00a0_.+-]{1,3}'
  const last = parts.at(-1) ?? ''
  const rest = parts.slice(0, -1).join(blanks)
  return [parts.join(blanks), ...(rest ? [`${last},?${blanks}${rest}`] : [])]
}

const encoded = (address: string) => {
  try {
    return encodeURIComponent(address)
  } catch {
    return address
  }
}

/** Digits with the signs that people write between them. */
const phoneForm = (value: string) => value.replace(/\D/g, '').split('').join('[\\s().\\/–·-]{0,3}')

function addressForms({ kind, value, given }: Sought['addresses'][number]): string[] {
  if (kind === 'phone') return [`(?:\\+|00)?${phoneForm(value)}`, escaped(given)]
  return [value, given, encoded(value), value.replace('@', '%40')].map(escaped)
}

/** What finds somebody, and takes them out. */
export function eraserOf({ names, addresses }: Pick<Sought, 'names' | 'addresses'>) {
  const handles = new Set(
    addresses.flatMap(({ value, given }) => [comparedForm(value), comparedForm(given)]),
  )
  const known = names.filter((name) => name.trim().length > 1)
  const whole = known.filter(isWhole).flatMap(nameForms)
  const single = known.filter((name) => !isWhole(name)).map((name) => escaped(name.trim()))
  const patterns = [
    addresses.length > 0 &&
      new RegExp(
        `(?<![\\p{L}\\p{N}_])(?:${oneOf(addresses.flatMap(addressForms))})(?![\\p{L}\\p{N}])`,
        'giu',
      ),
    whole.length > 0 &&
      new RegExp(`(?<![\\p{L}\\p{N}])(?:${oneOf(whole)})(?![\\p{L}\\p{N}])`, 'giu'),
    single.length > 0 &&
      new RegExp(`(?<![\\p{L}\\p{N}])(?:${oneOf(single)})(?![\\p{L}\\p{N}])`, 'gu'),
  ].filter((pattern) => pattern !== false)
  const [byAddress] = patterns
  const text = (given: string) =>
    patterns.reduce((rest, pattern) => rest.replace(pattern, erasedMark), given)
  const json = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value)
    if (Array.isArray(value)) return value.map(json)
    if (typeof value !== 'object' || value === null || value instanceof Date) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [text(name), json(member)]),
    )
  }
  return {
    /** Whether this is an address of theirs. */
    isTheirs: (handle: string) => handles.has(comparedForm(handle)),
    /** The text with the mark in place of their names and addresses. */
    text,
    /** The same for every text in a value. */
    json,
    has: (given: string) => text(given) !== given,
    /** Whether an address of theirs is in it. */
    hasAddress: (given: string) =>
      addresses.length > 0 && byAddress !== undefined && given.replace(byAddress, '') !== given,
  }
}

// What they have said, as it comes again where others quote it: broken into other lines, and with signs before them.

const shingleWords = 4
const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

function shinglesOf(words: string[]): string[] {
  if (words.length < shingleWords) return words.length === 0 ? [] : [words.join(' ')]
  return words.slice(shingleWords - 1).map((_, i) => words.slice(i, i + shingleWords).join(' '))
}

export type Said = ReadonlySet<string>

/** The words of their messages, by which a quotation of them is known. Their own quotations of others do not count. */
export function saidBy(texts: string[]): Said {
  const own = texts.map((text) =>
    text
      .split('\n')
      .filter((line) => depthOf(line) === 0)
      .join('\n'),
  )
  return new Set(
    own.flatMap((text) => [
      ...shinglesOf(wordsOf(text)),
      // A short line may be quoted alone.
      ...text.split('\n').map((line) => wordsOf(line).join(' ')),
    ]),
  )
}

/** Whether most of it is theirs. */
function isSaid(lines: string[], said: Said): boolean {
  const shingles = shinglesOf(wordsOf(lines.join('\n')))
  if (shingles.length === 0) return false
  return shingles.filter((one) => said.has(one)).length * 2 >= shingles.length
}

const depthOf = (line: string) => /^(?:[ \t]?>)+/.exec(line)?.[0].replace(/[^>]/g, '').length ?? 0

// The head of a mail that is quoted without signs; the names of the fields in the languages of most programs.
const headFrom = /^[\s*>]*(?:from|von|de|da|van|od|от|från|fra|lähettäjä|kimden)[ \t*]*[:：]/iu
const isSeparator = (line: string) => line.length < 120 && /^\s{0,10}[-_=]{3}/u.test(line)
const mostOpening = 3
const deepest = 20

/**
 * A text without its quotations of them. A quotation is a block behind `>`, or one below a line or a head that names its writer;
 * the mark stands in its place. `names` says whether a line names them.
 */
export function withoutQuotes(text: string, said: Said, names: (line: string) => boolean): string {
  return withoutBare(withoutMarked(text.split('\n'), 0, said, names), said, names).join('\n')
}

/** The line above a quotation that names them: up to three lines that end in a colon. */
function isOpenedBy(above: string[], names: (line: string) => boolean): boolean {
  const lines = above.filter((line) => line.trim() !== '').slice(-mostOpening)
  const last = lines.at(-1)
  return last !== undefined && /[:：]\s*$/u.test(last) && names(lines.join(' '))
}

/** Blocks behind `>`, of any depth. */
function withoutMarked(
  lines: string[],
  depth: number,
  said: Said,
  names: (line: string) => boolean,
): string[] {
  // So deep, no program quotes.
  if (depth > deepest) return lines
  const kept: string[] = []
  for (let at = 0; at < lines.length; ) {
    if (depthOf(lines[at] ?? '') <= depth) {
      kept.push(lines[at] ?? '')
      at++
      continue
    }
    let end = at
    while (end < lines.length && depthOf(lines[end] ?? '') > depth) end++
    const block = lines.slice(at, end)
    const own = block.filter((line) => depthOf(line) === depth + 1)
    if (isOpenedBy(kept.slice(-6), names) || isSaid(own, said))
      kept.push(`${'>'.repeat(depth + 1)} ${erasedMark}`)
    else kept.push(...withoutMarked(block, depth + 1, said, names))
    at = end
  }
  return kept
}

/** Blocks without signs: below a head or a line that names them, and paragraphs in their words. */
function withoutBare(lines: string[], said: Said, names: (line: string) => boolean): string[] {
  const kept: string[] = []
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? ''
    const head = lines.slice(at, at + 2).join(' ')
    const opens =
      /[:：]\s*$/u.test(line) &&
      names(line) &&
      depthOf(lines[at + 1] ?? '') === 0 &&
      !headFrom.test(line)
    if ((headFrom.test(line) && names(head)) || opens) {
      // To the head of the next mail, or to the end.
      let end = at + 1
      while (
        end < lines.length &&
        !headFrom.test(lines[end] ?? '') &&
        !isSeparator(lines[end] ?? '')
      )
        end++
      kept.push(erasedMark)
      at = end
      continue
    }
    let end = at
    while (
      end < lines.length &&
      (lines[end] ?? '').trim() !== '' &&
      depthOf(lines[end] ?? '') === 0
    )
      end++
    const paragraph = lines.slice(at, Math.max(end, at + 1))
    const words = wordsOf(paragraph.join(' '))
    if (words.length >= 2 * shingleWords && isSaid(paragraph, said)) kept.push(erasedMark)
    else kept.push(...paragraph)
    at += paragraph.length
  }
  return kept
}

/** A plain text as HTML, for a message whose own HTML could not be kept. */
export const htmlOf = (text: string): string =>
  `<div style="white-space: pre-wrap">${text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')}</div>`

/** About the words of a page: enough to see whether somebody is named in it. */
export const seenInHtml = (html: string): string =>
  html
    .replace(/<\/?(?:b|i|em|strong|span|font|u|a|wbr)\b[^<>]*>/gi, '')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&#(\d{1,7});/g, (_, code) => fromCode(Number(code)))
    .replace(/&#x([0-9a-f]{1,6});/gi, (_, code) => fromCode(Number.parseInt(code, 16)))
    .replace(/&nbsp;/g, ' ')
    .replace(/&amp;/g, '&')

const fromCode = (code: number) => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ' ')
