import { decodeWords } from 'postal-mime'
import { decodeText } from '../charsets/decode.ts'
import { type Field, fieldsIn, valueIn } from './fields.ts'
import { mendedNames } from './parameters.ts'

// Heads whose characters are not written as they should be: bytes that no encoded word names (RFC 2047), and words under a wrong
// label. What they say is written anew in UTF-8; nothing else in a field changes.

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
 * What tells apart the members of a list of addresses. A server has looked at the bytes; if it has seen others in them than a
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
