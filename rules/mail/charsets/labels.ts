// What the labels of sets of characters mean. TextDecoder knows those of the web (https://encoding.spec.whatwg.org/#names-and-labels);
// mail has more.

export type Charset =
  | { kind: 'none' }
  | { kind: 'utf-8' }
  | { kind: 'utf-7' }
  | { kind: 'utf-16' | 'utf-32'; bigEndian: boolean }
  | { kind: 'hz' }
  | { kind: 'shifted'; charset: 'euc-kr' | 'gbk' }
  | { kind: 'table'; name: 'cp437' | 'cp850' }
  /** `wide` sets have characters of several bytes; the others read any bytes as something. */
  | { kind: 'decoder'; name: string; wide: boolean }

/** A label without what programs put around it, and with one way to separate. */
const plain = (label: string): string =>
  label
    .trim()
    .toLowerCase()
    .replace(/^["'=]+|["';,]+$/g, '')
    .replace(/^(?:x-ms-|x-|cs)(?=[a-z]{2,}.*\d|sjis|euc|big5|gbk|mac)/, '')
    .replace(/[\s._:-]+/g, '')

// What says that a text has seven bits, or nothing.
const nothing =
  /^(?:|us|usascii|ascii|ansi|ansix34(?:1968|1986)|iso646(?:us|irv)?\d*|isoir6|7bit|8bit|7bits|8bits|binary|none|null|nil|default(?:charset)?|unknown|unknown8bit|xunknown|unspecified|undefined|userdefined|xuserdefined|charset|utf|text|plain)$/

const others: [RegExp, Charset][] = [
  [nothing, { kind: 'none' }],
  [/^(?:unicode11)?utf8(?:n|mb[34]|strict)?$|^unicode20utf8$/, { kind: 'utf-8' }],
  [/^(?:unicode[12][01])?utf7(?:imap)?$|^unicode11utf7$|^cp65000$/, { kind: 'utf-7' }],
  [/^cp65001$/, { kind: 'utf-8' }],
  [
    /^utf16$|^utf16le$|^ucs2(?:le)?$|^unicode$|^iso10646ucs2$/,
    { kind: 'utf-16', bigEndian: false },
  ],
  [/^utf16be$|^ucs2be$|^unicodefffe$/, { kind: 'utf-16', bigEndian: true }],
  [/^utf32be$|^ucs4(?:be)?$|^utf32$|^iso10646ucs4$/, { kind: 'utf-32', bigEndian: true }],
  [/^utf32le$|^ucs4le$/, { kind: 'utf-32', bigEndian: false }],
  [/^hz(?:gb2312)?$|^gb2312hz$/, { kind: 'hz' }],
  [/^iso2022kr$/, { kind: 'shifted', charset: 'euc-kr' }],
  [/^iso2022cn(?:ext)?$/, { kind: 'shifted', charset: 'gbk' }],
  [/^(?:cp|ibm|dos|pc)?437$|^cspc8codepage437$/, { kind: 'table', name: 'cp437' }],
  [
    /^(?:cp|ibm|dos|pc)?(?:850|858|0*850|00858)$|^pcmultilingual850/,
    { kind: 'table', name: 'cp850' },
  ],
  [/^(?:shiftjis|sjis|mskanji|windows31j|cp932|cp943c?|ms932|ibm943)$/, wide('shift_jis')],
  [/^(?:eucjp|ujis|eucjpms|cp51932|cp20932)$/, wide('euc-jp')],
  [/^(?:iso2022jp(?:[123]|ms|2004)?|junet|jis|cp5022[012])$/, wide('iso-2022-jp')],
  [
    /^(?:euckr|ksc5601(?:1987|1989)?|ksc56011987|uhc|cp949|windows949|korean|kscp?5601)$/,
    wide('euc-kr'),
  ],
  [
    /^(?:gb2312(?:80)?|gbk|gb18030(?:2000)?|cp936|ms936|euccn|cngb|chinese|gb|windows936|cp54936)$/,
    wide('gb18030'),
  ],
  [/^(?:big5(?:hkscs|eten|uao)?|cnbig5|cp950|ms950|windows950|zhtwbig5)$/, wide('big5')],
  // The vowels of Thai follow its consonants as the bytes of UTF-8 follow each other.
  [/^(?:tis620\d*|iso885911|windows874|cp874|ms874|dos874)$/, wide('windows-874')],
  [/^(?:macroman|macintosh|mac)$/, { kind: 'decoder', name: 'macintosh', wide: false }],
]

function wide(name: string): Charset {
  return { kind: 'decoder', name, wide: true }
}

/** What a label names; `none` for none, for what says nothing, and for one that nobody knows. */
export function charsetNamed(label: string | undefined): Charset {
  if (label === undefined || label.length > 60) return { kind: 'none' }
  const written = plain(label)
  const known = others.find(([pattern]) => pattern.test(written))
  if (known) return known[1]
  const [, page] = /^(?:windows|win|cp|ms|microsoftcp|ansi)(125\d)$/.exec(written) ?? []
  const [, part] = /^(?:iso|isoiec|8859)?8859(?:8859)?(\d{1,2})[ie]?(?:\d{4})?$/.exec(written) ?? []
  for (const name of [page && `windows-${page}`, part && `iso-8859-${part}`, label.trim(), written])
    if (name && isDecodable(name)) return { kind: 'decoder', name: nameOf(name), wide: false }
  return { kind: 'none' }
}

const nameOf = (label: string) => new TextDecoder(label).encoding

function isDecodable(label: string): boolean {
  try {
    new TextDecoder(label)
    return true
  } catch {
    return false
  }
}
