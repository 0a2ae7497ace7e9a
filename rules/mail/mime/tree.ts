import { type Field, fieldsIn, readValued, type Valued, valueIn } from './fields.ts'

// The parts of a mail, by the places in which they stand. Where one begins and ends is read as the parser of mail reads it
// (postal-mime), so that what is rewritten within a part changes nothing around it.

export type Part = {
  /** Where its head begins and its body, and where it ends, without the line end that belongs to a boundary. */
  from: number
  body: number
  end: number
  fields: Field[]
  type: Valued
  disposition: Valued
  encoding: string
  parent: Part | null
  parts: Part[]
}

const mostParts = 2_000
const deepest = 50

/** Undefined for a mail with so many parts, or parts so deep in others, that nobody has written it. */
export function treeOf(raw: Buffer): Part | undefined {
  const root = partAt(raw, 0, null)
  const open: { delimiter: Buffer; part: Part }[] = []
  let count = 1
  let current: Part | null = root
  watch(root)
  for (let at = lineOfDashes(raw, 0); at >= 0; at = lineOfDashes(raw, at + 2)) {
    const place = open.findLastIndex(
      ({ delimiter, part }) => isDelimiter(raw, at, delimiter) && at >= part.body,
    )
    const found = open[place]
    if (!found) continue
    if (current) close(raw, current, at)
    const isLast = raw.subarray(at + found.delimiter.length).indexOf('--') === 0
    open.length = place + (isLast ? 0 : 1)
    current = null
    if (isLast) continue
    if (++count > mostParts || place > deepest) return undefined
    const feed = raw.indexOf(10, at)
    current = partAt(raw, feed < 0 ? raw.length : feed + 1, found.part)
    watch(current)
  }
  return root

  function watch(part: Part) {
    const { boundary } = part.type.params
    if (part.type.value.startsWith('multipart/') && boundary)
      open.push({ delimiter: Buffer.from(`--${boundary}`, 'latin1'), part })
  }
}

function partAt(raw: Buffer, from: number, parent: Part | null): Part {
  const body = endOfHead(raw, from)
  const fields = fieldsIn(raw.subarray(from, body))
  const part: Part = {
    ...{ from, body, end: raw.length, fields, parent, parts: [] },
    type: readValued(valueIn(fields, 'content-type') ?? ''),
    disposition: readValued(valueIn(fields, 'content-disposition') ?? ''),
    encoding:
      /[\w-]+/.exec((valueIn(fields, 'content-transfer-encoding') ?? '').toLowerCase())?.[0] ?? '',
  }
  parent?.parts.push(part)
  return part
}

/** Behind the first empty line. */
function endOfHead(raw: Buffer, from: number): number {
  for (let start = from; start < raw.length; ) {
    const feed = raw.indexOf(10, start)
    if (feed < 0) return raw.length
    if (feed === start || (feed === start + 1 && raw[start] === 13)) return feed + 1
    start = feed + 1
  }
  return raw.length
}

function close(raw: Buffer, part: Part, at: number) {
  const [before, last] = [raw[at - 2], raw[at - 1]]
  const end = last === 10 ? at - (before === 13 ? 2 : 1) : at
  part.body = Math.min(part.body, at)
  part.end = Math.max(end, part.body)
}

function lineOfDashes(raw: Buffer, from: number): number {
  if (from === 0 && raw.indexOf('--') === 0) return 0
  const at = raw.indexOf('\n--', Math.max(0, from - 1))
  return at < 0 ? -1 : at + 1
}

const blankOrEnd = /^(?:--)?[ \t\r]*(?:\n|$)/
function isDelimiter(raw: Buffer, at: number, delimiter: Buffer): boolean {
  const end = at + delimiter.length
  if (raw.compare(delimiter, 0, delimiter.length, at, Math.min(end, raw.length)) !== 0) return false
  return blankOrEnd.test(raw.subarray(end, end + 200).toString('latin1'))
}

// What the parts of a mail are, as far as programs call them by many names.

/** The name of a file, as far as it is known that there is one. */
export const hasName = ({ type, disposition }: Part): boolean =>
  Boolean(disposition.params['filename'] || type.params['name'])

// Texts that are no letters: data, and what servers say to programs.
const noLetters =
  /^text\/(?:calendar|csv|tab-separated-values|vcard|x-vcard|directory|x-vcalendar|x-vtodo|x-vnote|rfc822|rfc822-headers|delivery-status|disposition-notification|css|javascript|ecmascript|xml|xml-external-parsed-entity|json|yaml|x-amp-html|x-watch-html|uri-list|x-(?:patch|diff|python|perl|c|java|sh|sql|log|script|url|moz-url|ics))$/

/**
 * As what a part is to be read, if it is a part of the letter: text that no program names is text (RFC 2045, 5.2), and so is a
 * type that is none. A part with a name is a file whatever it is, unless it has a type of letters.
 */
export function letterOf(part: Part): 'plain' | 'html' | 'enriched' | 'rtf' | undefined {
  const { value } = part.type
  if (part.disposition.value === 'attachment') return undefined
  if (value === 'text/html' || value === 'text/xhtml' || value === 'application/xhtml+xml')
    return 'html'
  if (value === 'text/plain' || value === '') return 'plain'
  if (hasName(part)) return undefined
  if (value === 'text/rtf' || value === 'application/rtf') return 'rtf'
  if (noLetters.test(value)) return undefined
  if (value === 'text/enriched' || value === 'text/richtext') return 'enriched'
  if (value === 'html') return 'html'
  return value.startsWith('text/') || !/^[^\s/]+\/[^\s/]+$/.test(value) ? 'plain' : undefined
}

const pkcs7 = /^application\/(?:x-)?pkcs7-mime$/
/** Whether it is in the form of S/MIME (RFC 8551, 3.2.1), some of whose files lose their type on the way. */
export const isPkcs7 = (part: Part): boolean =>
  pkcs7.test(part.type.value) || (isUntyped(part) && /\.p7[mz]$/i.test(nameOf(part)))

export const isTnef = (part: Part): boolean =>
  /^application\/(?:vnd\.)?(?:x-)?ms-tnef$/.test(part.type.value) ||
  (isUntyped(part) && /^winmail\.dat$/i.test(nameOf(part)))

const isUntyped = ({ type }: Part) =>
  /^application\/(?:octet-stream|binary|x-unknown)$/.test(type.value)
const nameOf = ({ type, disposition }: Part) =>
  disposition.params['filename'] ?? type.params['name'] ?? ''
