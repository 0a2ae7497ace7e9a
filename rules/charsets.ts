// The set of characters of a text that does not name it, as old servers of Japan, Russia and Western Europe write theirs.

const fewestKana = 3

/** The likeliest one: Japanese has kana, and nearly all letters of Russian words lie in the upper quarter. */
export function charsetOf(bytes: Uint8Array): string {
  for (const charset of ['shift_jis', 'euc-jp']) {
    const text = new TextDecoder(charset).decode(bytes)
    const kana = text.match(/[\u3041-\u3093]/g)?.length ?? 0
    if (kana >= fewestKana && !/[\ufffd\uff61-\uff9f]{2}/.test(text)) return charset
  }
  let [lower, upper, high, latin] = [0, 0, 0, 0]
  for (const byte of bytes) {
    if (byte >= 0xe0) lower++
    else if (byte >= 0xc0) upper++
    else if (byte >= 0x80) high++
    else if (byte > 0x60 && byte < 0x7b) latin++
  }
  const letters = lower + upper
  const isRussian = letters > latin / 2 && high < letters / 10
  if (!isRussian) return 'windows-1252'
  // Small letters are more, and lie above the capital ones in one and below them in the other.
  return lower > upper ? 'windows-1251' : 'koi8-r'
}
