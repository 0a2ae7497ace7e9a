import chardet from 'chardet'

// Finds which of the older encodings a text is in. Statistics over whole texts (chardet) say little about a list of names, so
// this looks at the words that each encoding yields: words should be of one script, with the letters of one language and
// without signs in them.

/**
 * The letters beyond a to z that languages have, in lower case. Most of a text consists of the letters in `common`; `form` is
 * the form of words.
 */
type Letters = { languages: string[]; common?: string; form?: RegExp }
/** The first bytes of characters in daily use, which come first in double-byte encodings; most of a text consists of them. */
type Pairs = { common: [from: number, to: number][] }

const western: Letters = {
  languages: [
    ...['äöüßé', 'àâæçéèêëîïôœùûüÿ', 'áéíñóúü', 'áâãàçéêíóôúü', 'àèéìíòóù', 'æøåéöäü', 'åäöéüà'],
    ...['áéíóúýþæðö', 'ëïéüöèê', 'àçéèíïóòúü', 'áéíóú'],
  ],
}
const central: Letters = {
  languages: [
    ...['ąćęłńóśźż', 'áčďéěíňóřšťúůýž', 'áäčďéíĺľňóôŕšťúýž', 'áéíóöőúüű', 'ăâîşţ', 'čćđšž'],
    ...['äöüßé', 'çëéá'],
  ],
}
// Latin 5 differs from Latin 1 in six letters only, and Turkish files are more likely than Icelandic ones.
const turkish: Letters = {
  languages: ['çğıöşüâîû\u0307', ...western.languages.filter((letters) => !letters.includes('þ'))],
}
const baltic: Letters = { languages: ['āčēģīķļņōŗšūž', 'ąčęėįšųūž', 'äöõüšž'] }
const cyrillic: Letters = {
  languages: [
    ...['абвгдеёжзийклмнопрстуфхцчшщъыьэюя', 'абвгґдеєжзиіїйклмнопрстуфхцчшщьюя'],
    ...['абвгдеёжзійклмнопрстуўфхцчшыьэюя', 'абвгдђежзијклљмнњопрстћуфхцчџш'],
  ],
  common: 'оеаинтсрвлкмдпуяыьгіз',
  form: /^..?$|[аеёиоуыэюяіїє]/,
}
const greek: Letters = {
  languages: ['αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ'],
  common: 'αοιετσνηυρπκμλςωάόίέήύώγδ',
  form: /^[^ς]*ς?$/,
}
const hebrew: Letters = {
  languages: ['אבגדהוזחטיךכלםמןנסעףפץצקרשת'],
  common: 'אבגדהוזחטיךכלםמןנסעףפץצקרשת',
  form: /^[^ךםןףץ]*[ךםןףץ]?$/,
}
const arabic: Letters = {
  languages: ['ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيپچژگ'],
  common: 'املنيرعدوهتبسحقكفةى',
}
const thai: Letters = {
  languages: ['กขฃคฅฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮะัาำิีึืุูเแโใไ็่้๊๋์ฯๆ'],
  common: 'กงจชดตทนบปพมยรลวสหอะาิีเแัุู่้์',
}

// Of two encodings that make equal sense, the first is taken.
const encodings: [name: string, made: Letters | Pairs][] = [
  ['windows-1254', turkish],
  ['windows-1252', western],
  ['iso-8859-15', western],
  ['windows-1250', central],
  ['iso-8859-2', central],
  ['windows-1251', cyrillic],
  ['koi8-u', cyrillic],
  ['ibm866', cyrillic],
  ['iso-8859-5', cyrillic],
  ['x-mac-cyrillic', cyrillic],
  ['windows-1255', hebrew],
  ['windows-1253', greek],
  ['iso-8859-7', greek],
  ['windows-1257', baltic],
  ['iso-8859-13', baltic],
  ['windows-1256', arabic],
  ['iso-8859-6', arabic],
  ['windows-874', thai],
  ['macintosh', western],
  // Korean syllables fill less of the plane than Japanese and Chinese characters do.
  ['euc-kr', pairs([0xa1, 0xa1], [0xb0, 0xc8])],
  ['shift_jis', pairs([0x81, 0x83], [0x88, 0x97])],
  ['euc-jp', pairs([0xa1, 0xa1], [0xa4, 0xa5], [0xb0, 0xcf])],
  ['gb18030', pairs([0xa1, 0xa1], [0xa3, 0xa3], [0xb0, 0xd7])],
  ['big5', pairs([0xa1, 0xc6])],
]

function pairs(...common: Pairs['common']): Pairs {
  return { common }
}

const sampleBytes = 65_536

/** The text in the encoding that makes most sense of it; undefined if none does. */
export function decodeLegacy(bytes: Uint8Array): string | undefined {
  const encoding = legacyEncodingOf(bytes)
  return encoding && decoded(bytes, encoding)
}

/** The encoding that makes most sense of a text, of those in which it can be; undefined if none does. */
export function legacyEncodingOf(bytes: Uint8Array): string | undefined {
  const sample = linesBeyondAscii(bytes)
  const guesses = new Map(
    chardet.analyse(sample).map(({ name, confidence }) => [name.toLowerCase(), confidence]),
  )
  const scored = encodings
    .map(([name, made]) => {
      const text = decoded(sample, name)
      if (text === undefined) return { name, score: Number.NEGATIVE_INFINITY }
      const guess = guesses.get(name) ?? guesses.get(alike[name] ?? '') ?? 0
      return { name, score: sense(sample, text, made) + (guess >= leastGuess ? guess / 200 : 0) }
    })
    .filter(({ score }) => score > leastSense)
    .sort((a, b) => b.score - a.score)
  return scored.find(({ name }) => decoded(bytes, name) !== undefined)?.name
}

// With only a few names, chardet finds everything a little likely.
const leastGuess = 50

const alike: Record<string, string> = {
  'windows-1252': 'iso-8859-1',
  'koi8-u': 'koi8-r',
  'windows-1253': 'iso-8859-7',
  'windows-1254': 'iso-8859-9',
}

// Up to half of the characters may be signs, such as in a table of prices.
const leastSense = -0.5

function decoded(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * Only the lines with characters beyond ASCII, because the others say nothing. In none of these encodings is a line feed part
 * of a character.
 */
function linesBeyondAscii(bytes: Uint8Array): Buffer {
  const lines: Uint8Array[] = []
  let size = 0
  for (let start = 0; start < bytes.length && size < sampleBytes; ) {
    const feed = bytes.indexOf(10, start)
    const end = feed < 0 ? bytes.length : feed + 1
    const line = bytes.subarray(start, end)
    if (line.some((byte) => byte >= 0x80)) {
      lines.push(line)
      size += line.length
    }
    start = end
  }
  const sample = Buffer.concat(lines)
  // A byte below 0x30 is never the second byte of a character, so a line that is too long is cut there.
  const cut = sample.subarray(0, sampleBytes).findLastIndex((byte) => byte < 0x30)
  return sample.length > sampleBytes && cut > 0 ? sample.subarray(0, cut) : sample
}

/** From -2 (nonsense) to 1, the mean over all characters beyond ASCII. */
function sense(bytes: Uint8Array, text: string, made: Letters | Pairs): number {
  const beyond = countOf(text, /[^\0-\x7f]/gu)
  const wrong = countOf(text, unfit) * 3 + countOf(text, stray) * 2
  const words = (text.match(/[\p{L}\p{M}]+/gu) ?? []).filter((word) => /[^\0-\x7f]/.test(word))
  const sum = words.reduce(
    (sum, word) => sum + ('languages' in made ? ofAlphabet(word, made) : ofIdeographs(word)),
    0,
  )
  const unusual = 'languages' in made ? 0 : countUnusual(bytes, made)
  return Math.max(-2, (sum + countOf(text, usual) - wrong - unusual) / Math.max(1, beyond))
}

const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

// Signs that real texts contain.
const usual = /[€–—‘’“”„«»°№™®…\u00a0]/g
// Characters that nobody writes, and signs within or beside a word, where only letters belong.
const unfit = /[\x80-\x9f¤\p{Co}\p{Cn}\ufffd]/gu
const signs = '[¢-§¬±-³¹¶¿¼-¾×÷†‡•…¨¸\\u2500-\\u25ff]'
const stray = new RegExp(`(?<=\\p{L})${signs}|${signs}(?=\\p{L})`, 'gu')
// Inverted case, as in Iван and ЮБЮМ: a capital after a small letter, one of them beyond ASCII.
const turned = /[\p{Ll}&&[^\0-\x7f]]\p{Lu}|\p{Ll}[\p{Lu}&&[^\0-\x7f]]/v

/** How many letters of a word count for the encoding, or against it if negative. */
function ofAlphabet(word: string, { languages, common, form }: Letters): number {
  const lower = word.toLowerCase()
  const beyond = lower.match(/[^\0-\x7f]/g) ?? []
  // Portuguese has õ only before e; anywhere else it is a misread Hungarian ő.
  const plain = lower.replaceAll('õe', 'oe')
  // Words in scripts other than Latin contain no Latin letters.
  const asked = common === undefined ? (plain.match(/[^\0-\x7f]/g) ?? []) : [...plain]
  const known = languages.some((language) => asked.every((letter) => language.includes(letter)))
  if (!known || turned.test(word) || form?.test(lower) === false) return -beyond.length
  if (common !== undefined)
    return beyond.reduce<number>((sum, letter) => sum + (common.includes(letter) ? 1 : 0.2), 0)
  // In no language with Latin letters do nearly all letters of a longer word have marks, or all those of a shorter one.
  const isOdd =
    word.length > 3
      ? beyond.length * 4 > word.length * 3
      : beyond.length > 1 && beyond.length === word.length
  return isOdd ? 0 : beyond.length
}

const ideographs =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30fc]+$/u

// In Shift_JIS, most bytes of other encodings turn into half-width kana.
const ofIdeographs = (word: string) => {
  const beyond = countOf(word, /[^\0-\x7f]/gu)
  return ideographs.test(word) && !/[\uff61-\uff9f]/.test(word) ? beyond : -beyond
}

function countUnusual(bytes: Uint8Array, { common }: Pairs): number {
  let unusual = 0
  for (let i = 0; i < bytes.length; i++) {
    const lead = bytes[i] as number
    if (lead < 0x80) continue
    i++
    if (!common.some(([from, to]) => lead >= from && lead <= to)) unusual++
  }
  return unusual
}
