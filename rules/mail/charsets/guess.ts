import { legacyEncodingOf } from '../../people-file/encodings.ts'

// The set of characters of a text that does not name it, or names it wrongly.

const fewestKana = 3

/** The likeliest one. */
export function charsetOf(bytes: Uint8Array): string {
  // Old servers of Japan mix katakana of half width into what they write, which nobody else does.
  for (const charset of ['shift_jis', 'euc-jp']) {
    const text = new TextDecoder(charset).decode(bytes)
    const kana = text.match(/[\u3041-\u3093]/g)?.length ?? 0
    if (kana >= fewestKana && !/[\ufffd\uff61-\uff9f]{2}/.test(text)) return charset
  }
  return legacyEncodingOf(bytes) ?? 'windows-1252'
}
