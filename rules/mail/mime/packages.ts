import { constants, inflateSync } from 'node:zlib'
import { decodeText } from '../charsets/decode.ts'
import { type Field, fieldsIn, isNamed, isOfContent, written } from './fields.ts'
import { unpackTnef } from './tnef.ts'
import { carriedIn, isUuencode, uuFilesIn } from './transfer.ts'
import { hasName, isPkcs7, isTnef, type Part } from './tree.ts'
import { type Content, filePart, inBase64, several, textPart } from './written.ts'

// Parts in which programs pack others: what lies in them takes their place, or a sentence that says why nobody here can read it.

const said = (way: string) =>
  `This message is encrypted (${way}). It is attached as it came: a mail program that has its key shows it.`

/**
 * What is to stand in the place of a part; undefined if it is no package, or one that cannot be taken apart. `again` does the same
 * with a mail within it; `hasText` says whether the mail has words anyhow.
 */
export function openPackage(
  raw: Buffer,
  part: Part,
  fields: Field[],
  { hasText, again }: { hasText: boolean; again: (raw: Buffer) => Buffer },
): Content | undefined {
  if (part.type.value === 'application/pgp-encrypted') return textPart(said('PGP/MIME'))
  if (isUuencode(part.encoding)) return inUuencode()
  const opens = isPkcs7(part) ? openPkcs7 : isTnef(part) ? openTnef : undefined
  const bytes = opens && carriedIn(raw.subarray(part.body, part.end), part.encoding).bytes
  return opens && bytes && opens(bytes)

  /** The parser does not know this encoding, which has the name of the file in itself. */
  function inUuencode(): Content | undefined {
    const [file] = uuFilesIn(raw.subarray(part.body, part.end).toString('latin1')).files
    if (!file) return undefined
    const { content } = file
    const name = decodeText(Buffer.from(file.name, 'latin1')).text
    if (!hasName(part)) return filePart({ name, content, type: part.type.value })
    return inBase64(
      fields.filter((field) => isOfContent(field) && !isEncoding(field)).map(written),
      content,
    )
  }

  function openPkcs7(bytes: Buffer): Content | undefined {
    const sealed = readCms(bytes)
    // Some gateways leave out what they do not understand, and keep the type.
    const named = part.type.params['smime-type'] ?? ''
    if (sealed.is === 'encrypted' || (sealed.is === 'unknown' && /envelope|encrypt/i.test(named)))
      return several([textPart(said('S/MIME')), asItCame()])
    return sealed.is === 'open' ? contentOf(again(sealed.content)) : undefined
  }

  function openTnef(bytes: Buffer): Content | undefined {
    const unpacked = unpackTnef(bytes)
    if (!unpacked) return undefined
    const { text, html, files } = unpacked
    const letters = hasText
      ? []
      : [...(text.trim() ? [textPart(text)] : []), ...(html.trim() ? [textPart(html, 'html')] : [])]
    const letter = letters.length > 1 ? [several(letters, 'alternative')] : letters
    const parts = [...letter, ...files.map(filePart)]
    return parts.length === 0 ? undefined : several(parts)
  }

  function asItCame(): Content {
    return {
      fields: fields.filter(isOfContent).map(written),
      body: raw.subarray(part.body, part.end),
    }
  }
}

const isEncoding = isNamed('content-transfer-encoding')

/** A mail within: of its head, only what says how to read it. */
function contentOf(raw: Buffer): Content {
  const head = /^\r?\n|\r?\n\r?\n/.exec(raw.subarray(0, longestHead).toString('latin1'))
  const at = head ? head.index + head[0].length : 0
  const fields = fieldsIn(raw.subarray(0, at)).filter(isOfContent)
  const isTyped = fields.some(isNamed('content-type'))
  return {
    fields: isTyped ? fields.map(written) : ['Content-Type: text/plain'],
    body: raw.subarray(at),
  }
}
const longestHead = 64 * 1024

// What lies in a cryptographic message (CMS, RFC 5652) in BER: the content of one that is only signed or compressed, or that one is
// encrypted.

type Sealed = { is: 'open'; content: Buffer } | { is: 'encrypted' } | { is: 'unknown' }

const oid = (hex: string) => Buffer.from(hex, 'hex')
const signed = oid('2a864886f70d010702')
// RFC 3274
const compressed = oid('2a864886f70d0109100109')
const encrypted = [
  // enveloped, signed and enveloped, encrypted, authenticated and enveloped
  ...['2a864886f70d010703', '2a864886f70d010704', '2a864886f70d010706'].map(oid),
  oid('2a864886f70d0109100117'),
]

type Value = { tag: number; content: Buffer }

const deepest = 20

function readCms(bytes: Buffer): Sealed {
  const [type, wrapped] = within(firstOf(bytes))
  const is = (wanted: Buffer) => type?.tag === tagOfOid && type.content.equals(wanted)
  if (encrypted.some(is)) return { is: 'encrypted' }
  if (!is(signed) && !is(compressed)) return { is: 'unknown' }
  // The version, the algorithms, and then what is signed or compressed: its type and, unless it lies elsewhere, its bytes.
  const [, , info] = within(within(wrapped)[0])
  const [, explicit] = within(info)
  const [octets] = within(explicit)
  const found = octets && octetsOf(octets, 0)
  const content = found && is(compressed) ? inflated(found) : found
  return content ? { is: 'open', content } : { is: 'unknown' }
}

// As much as the largest mail that is read.
const mostInflated = 40 * 1024 * 1024
/** Zlib is the only algorithm (RFC 3274, 2). Of bytes that are cut it gives those that are there. */
function inflated(bytes: Buffer): Buffer | undefined {
  const most = { maxOutputLength: mostInflated, finishFlush: constants.Z_SYNC_FLUSH }
  try {
    return inflateSync(bytes, most)
  } catch {
    return undefined
  }
}

const tagOfOid = 0x06

const firstOf = (bytes: Buffer): Value | undefined => valueAt(bytes, 0, 0)?.value

function within(value: Value | undefined): Value[] {
  if (!value || (value.tag & 0x20) === 0) return []
  const values: Value[] = []
  for (let at = 0; at < value.content.length && values.length < mostValues; ) {
    const found = valueAt(value.content, at, 0)
    if (!found || isEnd(found.value)) break
    values.push(found.value)
    at = found.end
  }
  return values
}
const mostValues = 4
const isEnd = ({ tag, content }: Value) => tag === 0 && content.length === 0

/** A string may stand in pieces, and these again. */
function octetsOf(value: Value, depth: number): Buffer | undefined {
  if ((value.tag & 0x1f) !== 4) return undefined
  if ((value.tag & 0x20) === 0) return value.content
  if (depth > deepest) return undefined
  const pieces: Buffer[] = []
  for (let at = 0; at < value.content.length; ) {
    const found = valueAt(value.content, at, depth)
    if (!found || isEnd(found.value)) break
    const piece = octetsOf(found.value, depth + 1)
    if (!piece) return undefined
    pieces.push(piece)
    at = found.end
  }
  return Buffer.concat(pieces)
}

/** Undefined if none is there. A value whose bytes are cut has those that are there. */
function valueAt(
  bytes: Buffer,
  from: number,
  depth: number,
): { value: Value; end: number } | undefined {
  const tag = bytes[from]
  const first = bytes[from + 1]
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) return undefined
  if (first === 0x80) {
    const content = from + 2
    const end = endOfIndefinite(bytes, content, depth)
    return { value: { tag, content: bytes.subarray(content, end) }, end: end + 2 }
  }
  const count = first < 0x80 ? 0 : first & 0x7f
  if (count > 4) return undefined
  let length = first < 0x80 ? first : 0
  for (let i = 0; i < count; i++) length = length * 256 + (bytes[from + 2 + i] ?? 0)
  const content = from + 2 + count
  const end = Math.min(bytes.length, content + length)
  return { value: { tag, content: bytes.subarray(content, end) }, end }
}

/** Where the two zeros stand that end a value which does not say how long it is. */
function endOfIndefinite(bytes: Buffer, from: number, depth: number): number {
  if (depth > deepest) return bytes.length
  for (let at = from; at < bytes.length; ) {
    if (bytes[at] === 0 && bytes[at + 1] === 0) return at
    const found = valueAt(bytes, at, depth + 1)
    if (!found) break
    at = found.end
  }
  return bytes.length
}
