import { decodeText } from '../charsets/decode.ts'
import { wordsOf } from '../html/words.ts'
import { readRtf } from './rtf.ts'
import { carriedIn, type UuFile, uuFilesIn } from './transfer.ts'
import { letterOf, type Part } from './tree.ts'

// The texts of a mail: the parts of it that are the letter.

export type Letter = {
  part: Part
  is: 'plain' | 'html'
  text: string
  /** Files that stood among its lines. */
  files: UuFile[]
  charset: string
  /** Whether the parser would read the same: then the part stays as it came. */
  isSound: boolean
}

// Far more than is kept of a text; what is encoded takes up to three times the space.
const mostEncoded = 16 * 1024 * 1024
const mostBytes = 4 * 1024 * 1024

/** Undefined for a part that is not of the letter. */
export function readLetter(raw: Buffer, part: Part): Letter | undefined {
  const kind = letterOf(part)
  if (!kind || part.parts.length > 0) return undefined
  const body = raw.subarray(part.body, Math.min(part.end, part.body + mostEncoded))
  const { bytes, rest, isAsSaid } = carriedIn(body, part.encoding)
  const kept = bytes.subarray(0, mostBytes)
  const { charset: label, format, delsp } = part.type.params
  const found = decodeText(kept, label)
  const isFlowed = kind === 'plain' && /^\s*flowed\s*$/i.test(format ?? '')
  const isHtml = kind === 'html' || (kind === 'plain' && isPage(part, found.text))
  // Of what was cut off, half a character may be left.
  const whole = part.encoding === 'base64' ? found.text.replace(/\ufffd$/, '') : found.text
  const { text: words, files } =
    kind === 'plain' && !isHtml ? uuFilesIn(whole) : { text: whole, files: [] }
  let text = words
  if (kind === 'enriched') text = unenriched(words)
  else if (kind === 'rtf') text = textOfRtf(kept)
  else if (!isHtml) text = unarmoured(isFlowed ? unflow(words, isYes(delsp)) : words)
  if (rest.length > 0) text = `${text.trimEnd()}\n\n${decodeText(rest).text}`
  const is = isHtml ? 'html' : 'plain'
  const isTyped = part.type.value === '' || part.type.value === `text/${is}`
  // The parser reads bytes beyond ASCII under that label in another way.
  const isLabelled =
    label === undefined ||
    /^utf-?8$/i.test(label) ||
    (/^(?:us-)?ascii$/i.test(label) && found.charset === '')
  const isSound =
    isTyped &&
    isLabelled &&
    body.length === part.end - part.body &&
    kept.length === bytes.length &&
    !isFlowed &&
    files.length === 0 &&
    isAsSaid &&
    rest.length === 0 &&
    text === utf8.decode(kept)
  return { part, is, text, files, charset: found.charset, isSound }
}

const isYes = (value = '') => /^\s*yes\s*$/i.test(value)

function textOfRtf(bytes: Buffer): string {
  const { text, html } = readRtf(bytes)
  return html === '' ? text : wordsOf(html)
}

// As the parser decodes it: a byte order mark is no character.
const utf8 = new TextDecoder()

/** A page under a type that is none. */
const isPage = ({ type }: Part, text: string): boolean =>
  type.value !== '' &&
  !type.value.includes('/') &&
  /^\s*<(?:!doctype html|html)\b/i.test(text.slice(0, 500))

/** Text of before HTML (RFC 1896): formatting stands in signs, and a single line break is a space. */
const unenriched = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replaceAll(/<param>[^<]{0,1000}<\/param>/gi, '')
    .replaceAll(/<(?!<)\/?[a-z\d-]{1,60}>/gi, '')
    .replaceAll('<<', '<')
    .replaceAll(/(?<!\n)\n(?!\n)/g, ' ')
    .replaceAll(/\n(\n+)/g, '$1')

// Texts of OpenPGP within a letter (RFC 9580, 6 and 7): signed ones are the letter itself, and of encrypted ones it is said.

const signed =
  /^-----BEGIN PGP SIGNED MESSAGE-----[ \t]*\n(?:[a-z]+: [^\n]*\n){0,5}[ \t]*\n([\s\S]*?)\n-----BEGIN PGP SIGNATURE-----[\s\S]*?(?:-----END PGP SIGNATURE-----|(?![\s\S]))/im
const encrypted = /^\s*-----BEGIN PGP MESSAGE-----/

/** The text without the lines that a program has put around it. */
function unarmoured(text: string): string {
  if (!text.includes('-----BEGIN PGP ')) return text
  const lines = text.replaceAll('\r\n', '\n')
  if (encrypted.test(lines))
    return `This message is encrypted (OpenPGP): a mail program that has its key shows it.\n\n${text}`
  // Lines with a dash in front are escaped.
  return lines.replace(signed, (_, words: string) => words.replaceAll(/^- /gm, ''))
}

// Text in the format "flowed" (RFC 3676): a line that ends with a space goes on in the next one.

const quoting = /^>*/

/**
 * The text with its lines joined. A change of the depth of quotation ends a paragraph (4.5): a line is taken out of its quotation,
 * and then joined. So do an empty line and the mark of a signature (4.3), which programs put behind lines that end with a space.
 * `delSp`: the space that ends a line was added to it (4.2).
 */
export function unflow(text: string, delSp: boolean): string {
  const lines: string[] = []
  let before: { depth: number; words: string[] } | undefined
  const end = () => {
    if (!before) return
    const { depth, words } = before
    const line = words.join('')
    // What is no quotation does not begin like one, which the stuffed space has kept apart.
    if (depth === 0) lines.push(line.startsWith('>') ? ` ${line}` : line)
    else lines.push(`${'>'.repeat(depth)}${line === '' ? '' : ' '}${line}`)
    before = undefined
  }
  for (const written of text.split(/\r?\n/)) {
    const depth = quoting.exec(written)?.[0].length ?? 0
    // A space at the beginning is stuffed in (4.4).
    const line = written.slice(depth).replace(/^ /, '')
    const isSignature = line === '-- '
    if (before && (before.depth !== depth || isSignature || line === '')) end()
    const flows = line.endsWith(' ') && !isSignature
    before ??= { depth, words: [] }
    before.words.push(flows && delSp ? line.slice(0, -1) : line)
    if (!flows) end()
  }
  end()
  return lines.join('\n')
}
