import { constants, inflateSync } from 'node:zlib'

// What lies in a cryptographic message (CMS, RFC 5652) in BER: the content of one that is only signed or compressed, or that one is
// encrypted.

export type Sealed = { is: 'open'; content: Buffer } | { is: 'encrypted' } | { is: 'unknown' }

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

export function readCms(bytes: Buffer): Sealed {
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
