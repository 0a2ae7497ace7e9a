import { decodeText } from '../charsets/decode.ts'
import { charsetNamed } from '../charsets/labels.ts'
import { parameter } from './fields.ts'

// The names of files in the form of RFC 2231, whose labels are as often wrong as others. A name is written anew in UTF-8 where it is
// not in that already.

type Piece = { number: number; isEncoded: boolean; text: string }

/** The value of a field, of one byte a character. */
export function mendedNames(value: string): string {
  const names = new Map<string, Piece[]>()
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
function nameIn(pieces: Piece[]): { text: string; isSound: boolean } {
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
