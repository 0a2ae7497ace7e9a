import { legacyEncodingOf } from '../../people-file/encodings.ts'
import { type Charset, charsetNamed } from './labels.ts'

// The text of bytes that strangers wrote, whose label may be missing or wrong. A label that the bytes contradict loses: bytes that
// are valid UTF-8 are hardly ever anything else, and what a label makes nonsense of is guessed.

/** `charset` is the set of characters in which a text was found, and empty if it has ASCII characters alone. */
type Decoded = { text: string; charset: string }

/** `likely` is the set of characters that other parts of the same mail are in. */
export function decodeText(bytes: Uint8Array, label?: string, likely = ''): Decoded {
  const marked = byMark(bytes)
  if (marked) return marked
  const charset = charsetNamed(label)
  const isAscii = !bytes.some((byte) => byte >= 0x80)
  const special = inSpecial(bytes, charset, isAscii)
  if (special) return special
  if (isAscii) return { text: latin1(bytes), charset: '' }
  const unicode = strictly(bytes, 'utf-8')
  const isWide = charset.kind === 'decoder' && charset.wide
  const isUnicode =
    unicode !== undefined && (!isWide || beyondIn(unicode) >= fewestWide || inLatin.test(unicode))
  if (isUnicode) return { text: unicode, charset: 'utf-8' }
  if (charset.kind === 'decoder') {
    const text = loosely(bytes, charset.name)
    if (!contradicts(text, charset)) return { text, charset: charset.name }
    if (unicode !== undefined) return { text: unicode, charset: 'utf-8' }
  }
  if (isDamagedUtf8(bytes)) return { text: loosely(bytes, 'utf-8'), charset: 'utf-8' }
  const guess = likely && strictly(bytes, likely) !== undefined ? likely : charsetOf(bytes)
  return { text: loosely(bytes, guess), charset: guess }
}

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

const loosely = (bytes: Uint8Array, charset: string) => new TextDecoder(charset).decode(bytes)

function strictly(bytes: Uint8Array, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** A text that begins with a byte order mark is what that says. */
function byMark(bytes: Uint8Array): Decoded | undefined {
  const [first, second, third] = bytes
  // Two bytes alone may be letters of any other set.
  if (bytes.length < 4) return undefined
  const utf16 =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff && 'utf-16be'
  if (utf16) return { text: loosely(bytes, utf16), charset: utf16 }
  return first === 0xef && second === 0xbb && third === 0xbf
    ? { text: loosely(bytes, 'utf-8'), charset: 'utf-8' }
    : undefined
}

/** What TextDecoder does not know, or what its bytes alone show. */
function inSpecial(bytes: Uint8Array, charset: Charset, isAscii: boolean): Decoded | undefined {
  if (charset.kind === 'utf-16' || charset.kind === 'utf-32') {
    const text = inUnits(bytes, charset)
    return text === undefined ? undefined : { text, charset: charset.kind }
  }
  if (charset.kind === 'table') {
    const isUnicode = strictly(bytes, 'utf-8') !== undefined
    return isUnicode ? undefined : { text: decodeTable(bytes, charset.name), charset: '' }
  }
  if (!isAscii) return undefined
  const written = latin1(bytes)
  if (charset.kind === 'utf-7') return { text: decodeUtf7(written), charset: '' }
  if (charset.kind === 'hz') return { text: decodeHz(written), charset: 'gb18030' }
  if (charset.kind === 'shifted')
    return { text: decodeShifted(written, charset.charset), charset: charset.charset }
  if (unsaidHz.test(written)) return { text: decodeHz(written), charset: 'gb18030' }
  if (!written.includes('\u001b')) return undefined
  // Programs in Japan and Korea leave out what nothing but escape sequences shows.
  if (['$@', '$B', '$(D', '$(O'].some((set) => written.includes(`\u001b${set}`)))
    return { text: loosely(bytes, 'iso-2022-jp'), charset: 'iso-2022-jp' }
  return written.includes('\u001b$)C')
    ? { text: decodeShifted(written, 'euc-kr'), charset: 'euc-kr' }
    : undefined
}

// Chinese of seven bits stands in pairs, the first of which are the numbers of rows.
const unsaidHz = /~\{(?:[!-w][!-~]){2,400}~\}/

/** Undefined if it is not in units of two or four bytes at all: programs write ASCII under such labels. */
function inUnits(
  bytes: Uint8Array,
  { kind, bigEndian }: Extract<Charset, { bigEndian: boolean }>,
): string | undefined {
  const [even = 0, odd = 0] = zerosOf(bytes)
  if (kind === 'utf-32')
    return even + odd > bytes.length / 4 ? ofUtf32(bytes, bigEndian) : undefined
  // The label without a byte order does not say which one it is.
  const isBig = even === odd ? bigEndian : even > odd
  const text = strictly(bytes, isBig ? 'utf-16be' : 'utf-16le')
  const isUtf16 = even + odd > 0 || strictly(bytes, 'utf-8') === undefined
  return isUtf16 ? text : undefined
}

function zerosOf(bytes: Uint8Array): [number, number] {
  const zeros: [number, number] = [0, 0]
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === 0) zeros[(i % 2) as 0 | 1]++
  return zeros
}

function ofUtf32(bytes: Uint8Array, bigEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const chars: string[] = []
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const point = view.getUint32(at, !bigEndian)
    if (point <= 0x10ffff && point !== 0xfeff) chars.push(String.fromCodePoint(point))
  }
  return chars.join('')
}

/**
 * Whether a text shows that it is in another set of characters than its label names. Wide sets do not have most pairs of bytes.
 * One of a byte a character has all of them, but Western languages have no words of letters with marks alone, no long runs of letters
 * with marks and of signs, and no such sign within a word.
 */
function contradicts(text: string, { name, wide }: { name: string; wide: boolean }): boolean {
  const beyond = beyondIn(text)
  const broken = text.match(/[\ufffd\x80-\x9f]/g)?.length ?? 0
  if (broken * (wide ? 8 : 3) > beyond) return true
  if (!latin.test(name)) return false
  const odd = text.match(oddRuns)?.join('').length ?? 0
  return odd * 2 > beyond || signWithin.test(text)
}
const oddRuns =
  /(?<!\p{L})[\p{L}&&[^\0-\x7f]]{3,40}(?!\p{L})|[[^\0-\x7f]--[\u00a0¡¿«»\u2010-\u2019\u201c\u201d\u201f-\u203a€]]{4,80}/gv
const signWithin = /[a-z][¢£¤¥¦¬±³¶¹¼¾][a-z]/
// The labels that programs put on whatever they are given.
const latin = /^(?:windows-1252|iso-8859-15|macintosh)$/

const beyondIn = (text: string): number => text.match(/[^\0-\x7f]/gu)?.length ?? 0
// A letter with a mark within a word of letters without.
const inLatin = /[a-z][\p{Script=Latin}--[\0-\x7f]]|[\p{Script=Latin}--[\0-\x7f]][a-z]/iv
// Two characters of Korean or Thai may be valid UTF-8 by chance.
const fewestWide = 3

const damage = Buffer.from('\ufffd')
/** Whether it was meant as UTF-8: a byte may have been lost, and somebody may quote a character that stands for a lost one. */
function isDamagedUtf8(bytes: Uint8Array): boolean {
  if (Buffer.from(bytes).includes(damage)) return true
  const text = loosely(bytes, 'utf-8')
  const [broken, whole] = [/\ufffd/g, /[^\0-\x7f\ufffd]/gu].map(
    (one) => text.match(one)?.length ?? 0,
  ) as [number, number]
  return whole >= broken
}

// The set of characters of a text that does not name it, or names it wrongly.

const fewestKana = 3

/** The likeliest one. */
function charsetOf(bytes: Uint8Array): string {
  // Old servers of Japan mix katakana of half width into what they write, which nobody else does.
  for (const charset of ['shift_jis', 'euc-jp']) {
    const text = new TextDecoder(charset).decode(bytes)
    const kana = text.match(/[\u3041-\u3093]/g)?.length ?? 0
    if (kana >= fewestKana && !/[\ufffd\uff61-\uff9f]{2}/.test(text)) return charset
  }
  return legacyEncodingOf(bytes) ?? 'windows-1252'
}

// Sets of characters of seven bits that TextDecoder does not know: signs within the text say where Chinese or Korean begins and
// ends. With the eighth bit the characters are those of another set.

const withEighthBit = (bytes: Uint8Array, charset: string) =>
  new TextDecoder(charset).decode(bytes.map((byte) => byte | 0x80))

/** HZ (RFC 1843): Chinese stands between `~{` and `~}`. */
const decodeHz = (written: string): string =>
  written.replace(/~\{([!-~]*?)~\}|~~|~\r?\n/g, (as, chinese?: string) => {
    if (chinese !== undefined) return withEighthBit(Buffer.from(chinese, 'latin1'), 'gbk')
    return as === '~~' ? '~' : ''
  })

const [shiftOut, shiftIn, start] = ['\x0e', '\x0f', '\x1b']

/** ISO-2022-KR (RFC 1557) and the common part of ISO-2022-CN (RFC 1922): between Shift Out and Shift In. */
const decodeShifted = (written: string, charset: 'euc-kr' | 'gbk'): string =>
  written
    .split(start)
    .map((piece, at) => (at === 0 ? piece : piece.replace(/^\$[()*][A-H]/, '')))
    .join('')
    .split(shiftOut)
    .map((piece, at) => {
      if (at === 0) return piece.replaceAll(shiftIn, '')
      const [inside = '', ...outside] = piece.split(shiftIn)
      return withEighthBit(Buffer.from(inside, 'latin1'), charset) + outside.join('')
    })
    .join('')

// The upper halves of the sets of characters of DOS, which TextDecoder does not know.

const frames = '░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀'

const upper = {
  cp437: `ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»${frames}αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0`,
  cp850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈ€ÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
}

const decodeTable = (bytes: Uint8Array, name: keyof typeof upper): string =>
  Buffer.from(bytes)
    .toString('latin1')
    .replace(/[\x80-\xff]/g, (char) => upper[name][char.charCodeAt(0) - 0x80] ?? char)

// UTF-7 (RFC 2152), as old programs wrote it: a run may end without its sign, with the line, or within a character.

/** The text of what is written in it. What is no run of it stays as it is. */
const decodeUtf7 = (written: string): string =>
  written.replace(/\+(?:([a-z\d+/]{2,100000})(?:=*-)?|-)/gi, (as, run?: string) =>
    run === undefined ? '+' : (unitsIn(run) ?? as),
  )

/** Undefined if it is no text: somebody has written a plus in front of a word. */
function unitsIn(run: string): string | undefined {
  const bytes = Buffer.from(run, 'base64')
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 2))
  const text = Buffer.from(whole).swap16().toString('utf16le')
  return whole.length === 0 || !text.isWellFormed() || /[\p{Cn}\p{Co}]/u.test(text)
    ? undefined
    : text
}
