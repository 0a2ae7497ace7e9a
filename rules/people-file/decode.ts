import { decodeLegacy } from './encodings.ts'
import type { Unreadable } from './unreadable.ts'

// Decodes the text of a file in any encoding: UTF-8, UTF-16 in either byte order, or an older one.

/** The text without U+0000, which Postgres cannot store and which has no meaning; or why the file is not text. */
export function decodeText(bytes: Uint8Array): string | Unreadable {
  const kind = signatures.find(({ starts }) => starts.every((byte, i) => bytes[i] === byte))
  if (kind) return { unreadable: kind.what }
  const text = decodeUnicode(bytes) ?? decodeOlder(bytes)
  if (typeof text !== 'string') return text
  const plain = text.replaceAll('\0', '')
  if (plain.trim() === '') return { unreadable: 'It is empty.' }
  if (/^\s*<(?:!doctype|\?xml|html|table)\b/i.test(plain))
    return { unreadable: 'It is a web page or an XML document: save it as .xlsx or CSV.' }
  return plain
}

const bytesOf = (text: string) => [...Buffer.from(text, 'latin1')]
const signatures = [
  { starts: bytesOf('%PDF'), what: 'It is a PDF, not a table.' },
  { starts: bytesOf('{\\rtf'), what: 'It is a text document, not a table.' },
  {
    starts: [0xd0, 0xcf, 0x11, 0xe0],
    what: 'It is a workbook in the old format (.xls), or one with a password: save it as .xlsx without a password.',
  },
]

/** UTF-8 and UTF-16; undefined if the file is neither. */
function decodeUnicode(bytes: Uint8Array): string | Unreadable | undefined {
  const utf16 = utf16Of(bytes)
  if (utf16)
    return (
      decoded(bytes, utf16) ?? { unreadable: 'It is UTF-16 text that is cut off: save it again.' }
    )
  const text = decoded(bytes, 'utf-8')
  if (text !== undefined) return text
  return mostlyUtf8(bytes)
    ? { unreadable: 'It is UTF-8 text with broken characters: save it again.' }
    : undefined
}

// A file from Excel or PowerShell begins with a byte order mark; others are recognised by the zeros beside their delimiters and
// line ends.
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

/** Whether a file has more whole than broken characters beyond ASCII: then it was UTF-8 and has been damaged. */
function mostlyUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes)
  const broken = text.match(/\ufffd/g)?.length ?? 0
  const whole = (text.match(/[^\0-\x7f]/g)?.length ?? 0) - broken
  return whole > broken * 2
}

function decodeOlder(bytes: Uint8Array): string | Unreadable {
  // Tables hold tabs and line ends but no other control characters; programs and pictures do.
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
