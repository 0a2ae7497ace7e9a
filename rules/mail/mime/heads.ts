import { decodeWords } from 'postal-mime'
import { decodeText } from '../charsets/decode.ts'
import { charsetNamed } from '../charsets/labels.ts'
import { type Field, fieldsIn, parameter, valueIn } from './fields.ts'

// Heads whose characters are not written as they should be: bytes that no encoded word names (RFC 2047), and words under a wrong
// label. What they say is rewritten in UTF-8; nothing else in a field changes.

/** The value of a field, of one byte a character. `likely` is the set of characters that the text of the mail is in. */
export function mendedValue({ name, value: given }: Field, likely: string): string {
  const value = withNames.test(name) && /\*|'/.test(given) ? mendedNames(given) : given
  const words = value.includes('=?') ? value.replaceAll(runs, mendedWords) : value
  if (!beyond.test(words) && !(name.toLowerCase() === 'subject' && words.includes('\u001b')))
    return words
  const { text, charset } = decodeText(Buffer.from(words, 'latin1'), undefined, likely)
  if (charset === 'utf-8' || structureOf(text) !== structureOf(words)) return words
  return Buffer.from(text).toString('latin1')
}
const beyond = /[\x80-\xff]/
const withNames = /^\s*content-(?:type|disposition)\s*$/i

/**
 * What distinguishes the members of a list of addresses. A server has looked at the bytes; if it has seen others in them than a
 * reader would, they stay as they are.
 */
const structureOf = (text: string) => text.match(/[<>@"(),:;\\]/g)?.join('') ?? ''

const word = String.raw`=\?[^?\s]{1,60}\?[bq]\?[^?]{0,4000}\?=`
// Programs that fold the name of a file put each piece between quotation marks of its own.
const runs = new RegExp(`${word}(?:(?:\\s+|"\\s+")${word})*`, 'gi')

type Piece = { charset: string; bytes: Buffer }

/** Words of one set of characters are one text: a character may begin in one word and end in the next. */
function mendedWords(run: string): string {
  const pieces: Piece[] = []
  for (const [, label = '', encoding = '', content = ''] of run.matchAll(
    /=\?([^?\s]{1,60})\?([bq])\?([^?]{0,4000})\?=/gi,
  )) {
    const [charset = ''] = label.toLowerCase().split('*', 1)
    const bytes = encoding.toLowerCase() === 'b' ? Buffer.from(content, 'base64') : inQ(content)
    const last = pieces.at(-1)
    if (last?.charset === charset) last.bytes = Buffer.concat([last.bytes, bytes])
    else pieces.push({ charset, bytes })
  }
  const text = pieces.map(({ charset, bytes }) => decodeText(bytes, charset).text).join('')
  return decodeWords(run) === text ? run : `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`
}

const inQ = (content: string): Buffer =>
  Buffer.from(
    content
      .replaceAll(/[_\s]/g, ' ')
      .replaceAll(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  )

/** The subject of a mail, of which only the head is looked at. */
export function subjectIn(raw: Buffer): string {
  const [head = ''] = raw
    .subarray(0, longestHead)
    .toString('latin1')
    .split(/\r?\n\r?\n/, 1)
  const name = 'subject'
  const value = valueIn(fieldsIn(Buffer.from(head, 'latin1')), name) ?? ''
  return decodeWords(Buffer.from(mendedValue({ name, value }, ''), 'latin1').toString('utf8'))
}
const longestHead = 64 * 1024

// The names of files in the form of RFC 2231, whose labels are as often wrong as others. A name is rewritten in UTF-8 where it is
// not in that already.

type PieceOfName = { number: number; isEncoded: boolean; text: string }

/** The value of a field, of one byte a character. */
function mendedNames(value: string): string {
  const names = new Map<string, PieceOfName[]>()
  const plain = new Set<string>()
  for (const [, given = '', quoted, bare = ''] of value.matchAll(parameter)) {
    const [, name = '', number, encoded] =
      /^(name|filename)(?:\*(\d{1,3}))?(\*)?$/i.exec(given) ?? []
    if (name === '') continue
    const key = name.toLowerCase()
    const text = quoted?.replaceAll(/\\(.)/g, '$1') ?? bare.trim()
    const isPlain = number === undefined && encoded === undefined
    if (isPlain) plain.add(key)
    if (isPlain && (names.has(key) || !unsaid.test(text))) continue
    const piece = { number: Number(number ?? 0), isEncoded: encoded !== undefined, text }
    names.set(key, [...(names.get(key) ?? []), piece])
  }
  let mended = value
  for (const [key, pieces] of names) {
    const found = nameIn(pieces)
    if (found.isSound) continue
    // What cannot be read yields to the same name in another form.
    const isLost = found.text === '' || (plain.has(key) && found.text.includes('\ufffd'))
    mended = mended.replaceAll(parameter, (whole, given: string) =>
      given.toLowerCase().startsWith(`${key}*`) ? '' : whole,
    )
    if (!isLost) mended += `; ${key}*=utf-8''${encodeURIComponent(found.text.toWellFormed())}`
  }
  return mended
}

// Some write the label and the signs, and leave out the star that says so.
const unsaid = /^[\w.:-]{2,40}'[\w-]{0,20}'[^']{0,2000}%[\da-f]{2}/i

/** `isSound`: every parser reads it in the same way. */
function nameIn(pieces: PieceOfName[]): { text: string; isSound: boolean } {
  const [first, ...more] = pieces.toSorted((one, other) => one.number - other.number)
  if (!first) return { text: '', isSound: true }
  const isUnsaid = !first.isEncoded && unsaid.test(first.text)
  const { label, text, isUsual } =
    first.isEncoded || isUnsaid ? labelled(first.text) : { ...first, label: '', isUsual: true }
  const parts = [{ ...first, text }, ...more]
  const bytes = Buffer.concat(
    parts.map((part) =>
      part.isEncoded || isUnsaid ? percent(part.text) : Buffer.from(part.text, 'latin1'),
    ),
  )
  const found = decodeText(bytes, label || undefined).text
  const isSound =
    isUsual &&
    !isUnsaid &&
    found !== '' &&
    found === bytes.toString('utf8') &&
    !found.includes('\ufffd') &&
    (/^(?:utf-8)?$/i.test(label) ||
      (/^(?:us-ascii|iso-8859-1)$/i.test(label) && isAscii.test(found)))
  return { text: found, isSound }
}
const isAscii = /^[\x20-\x7e]*$/

/** `utf-8'de'Gr%C3%BC…`; a label with one sign behind it, which is not usual, counts only if it is known. */
function labelled(given: string): { label: string; text: string; isUsual: boolean } {
  const [, label, text] = /^([^'%]{0,60})'[^'%]{0,40}'([\s\S]*)$/.exec(given) ?? []
  if (label !== undefined && text !== undefined) return { label, text, isUsual: true }
  const [, single = '', behind = ''] = /^([^'%]{2,60})'([\s\S]*)$/.exec(given) ?? []
  return charsetNamed(single).kind === 'none'
    ? { label: '', text: given, isUsual: true }
    : { label: single, text: behind, isUsual: false }
}

const percent = (text: string): Buffer =>
  Buffer.from(
    text.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    'latin1',
  )
