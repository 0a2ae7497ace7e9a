import type { Email } from 'postal-mime'
import { charsetOf } from '../../rules/charsets.ts'
import { headerOf } from './header.ts'
import { bodyAt } from './received-mail.ts'

// Texts of programs that leave out how they are written: the set of characters, or that they are in base64. Old servers write
// their bounces so.

const longest = 300_000

/** The text of a mail without parts that does not say how it is written, and is no UTF-8; undefined for any other mail. */
export function undeclaredText(email: Email, raw: Buffer): string | undefined {
  const { text = '' } = email
  const type = headerOf(email, 'content-type')
  if (!/^\s*(?:text\/plain\b|$)/i.test(type)) return undefined
  if (/^\s*(?:base64|quoted)/i.test(headerOf(email, 'content-transfer-encoding'))) return undefined
  if (isBase64(text)) return textIn(Buffer.from(text.slice(0, longest), 'base64'))
  if (!text.includes('\ufffd') || /charset/i.test(type)) return undefined
  const body = raw.subarray(bodyAt(raw)).subarray(0, longest)
  return isUtf8(body) ? undefined : read(body, charsetOf(body))
}

const damage = Buffer.from('\ufffd')
/** Whether it was meant as UTF-8: a byte may have been lost, and somebody may quote a character that stands for a lost one. */
function isUtf8(bytes: Buffer): boolean {
  if (bytes.includes(damage)) return true
  const [broken, whole] = [/\ufffd/g, /[^\0-\x7f\ufffd]/gu].map(
    (one) => read(bytes, 'utf-8').match(one)?.length ?? 0,
  ) as [number, number]
  return whole >= broken
}

/** Several whole lines, and nothing else. */
const isBase64 = (text: string): boolean =>
  /^(?:[a-z\d+/]{60,76}\r?\n){2}/i.test(text) && /^[a-z\d+/\r\n]+={0,2}$/i.test(text.trim())

function textIn(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8')
  return /[\ufffd\0]/.test(text) ? undefined : text
}

const read = (bytes: Buffer, charset: string): string => new TextDecoder(charset).decode(bytes)
