import { decodeLegacy } from './encodings.ts'
import type { Unreadable } from './unreadable.ts'

// The text of a file, whatever it was written in: UTF-8, UTF-16 in either order, or one of the encodings before them.

/** Text without U+0000, which cannot be kept in Postgres and stands for nothing; or why it is none. */
export function decodeText(bytes: Uint8Array): string | Unreadable {
  const kind = signatures.find(({ starts }) => starts.every((byte, i) => bytes[i] === byte))
  if (kind) return { unreadable: kind.what }
  const text = decodeUnicode(bytes) ?? decodeOlder(bytes)
  if (typeof text !== 'string') return text
  const plain = text.replaceAll('\0', '')
  if (plain.trim() === '') return { unreadable: 'It is empty.' }
  if (/^\s*<(?:!doctype|\?xml|html|table)\b/i.test(plain))
    return { unreadable: 'It is a page or an XML document: save it as .xlsx or CSV.' }
  return plain
}

const bytesOf = (text: string) => [...Buffer.from(text, 'latin1')]
const signatures = [
  { starts: bytesOf('%PDF'), what: 'It is a PDF, not a table.' },
  { starts: bytesOf('{\\rtf'), what: 'It is a document, not a table.' },
  {
    starts: [0xd0, 0xcf, 0x11, 0xe0],
    what: 'It is a workbook of the old kind (.xls) or one with a password: save it as .xlsx without one.',
  },
]

/** UTF-8 and UTF-16; undefined when it is neither. */
function decodeUnicode(bytes: Uint8Array): string | Unreadable | undefined {
  const utf16 = utf16Of(bytes)
  if (utf16) return decoded(bytes, utf16) ?? { unreadable: 'It is UTF-16 that breaks off.' }
  const text = decoded(bytes, 'utf-8')
  if (text !== undefined) return text
  return mostlyUtf8(bytes)
    ? { unreadable: 'It is UTF-8 with bytes in it that are not: save it anew.' }
    : undefined
}

// A file from Excel or PowerShell begins with a mark; others are known by the zeros beside their delimiters and line ends.
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const sample = bytes.subarray(0, 65_536)
  const zeros = [0, 0]
  for (const [i, byte] of sample.entries()) if (byte === 0) zeros[i % 2]!++
  const [even = 0, odd = 0] = zeros
  const many = sample.length / 20
  if (odd > many && even === 0) return 'utf-16le'
  return even > many && odd === 0 ? 'utf-16be' : undefined
}

/** More whole characters beyond ASCII than broken ones: the file was UTF-8, and something happened to it. */
function mostlyUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes)
  const broken = text.match(/\ufffd/g)?.length ?? 0
  const whole = (text.match(/[^\0-\x7f]/g)?.length ?? 0) - broken
  return whole > broken * 2
}

function decodeOlder(bytes: Uint8Array): string | Unreadable {
  // Tables hold tabs and ends of lines, and no other control characters; programs and pictures do.
  const isText = !bytes.some((byte) => byte < 32 && !(byte >= 9 && byte <= 13))
  return (
    (isText ? decodeLegacy(bytes) : undefined) ?? {
      unreadable: 'It is not text in any known encoding: save it as CSV in UTF-8.',
    }
  )
}

function decoded(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
