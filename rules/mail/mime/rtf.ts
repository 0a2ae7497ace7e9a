import { decodeText } from '../charsets/decode.ts'

// The text of RTF, in which Outlook and Exchange keep letters, and the HTML that they may have put into it ([MS-OXRTFEX]).

type RtfText = { text: string; html: string }

type Group = {
  /** Nothing of it is text. */
  isApart: boolean
  /** It holds a piece of HTML as it was. */
  isTag: boolean
  /** What it says is for those who read no HTML. */
  isRtfAlone: boolean
  isHidden: boolean
  /** The table of fonts. */
  isFonts: boolean
  /** How many characters stand for one that is written by its number. */
  fallback: number
  charset: string
}

const token =
  /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([\da-f]{2})|\\([^a-z'])|([{}])|[\r\n]+|([^\\{}\r\n]+)/gis
const deepest = 500
// With the pictures in it.
const longest = 4 * 1024 * 1024

/** One of the two is empty: a text holds HTML or is one by itself. */
export function readRtf(bytes: Buffer): RtfText {
  const written = bytes.subarray(0, longest).toString('latin1')
  const isHtml = /\\fromhtml1?(?![\d])/.test(written.slice(0, 4_000))
  const fonts = new Map<number, string>()
  const out = { text: '', bytes: [] as string[], charset: '' }
  const open: Group[] = []
  let usual = 'windows-1252'
  let group: Group = {
    ...{ isApart: false, isTag: false, isRtfAlone: false, isHidden: false, isFonts: false },
    ...{ fallback: 1, charset: '' },
  }
  let font: number | undefined
  let isStarred = false
  let toSkip = 0
  let skipTo = 0
  for (const match of written.matchAll(token)) {
    const [whole, word, given, hex, sign, brace, plain] = match
    if (match.index < skipTo) continue
    if (brace === '{') {
      if (open.length > deepest) break
      open.push(group)
      group = { ...group }
      isStarred = false
      toSkip = 0
    } else if (brace === '}') {
      group = open.pop() ?? group
      toSkip = 0
    } else if (sign === '*') isStarred = true
    else if (word !== undefined) {
      const value = given === undefined ? undefined : Number(given)
      if (word === 'bin') skipTo = match.index + whole.length + Math.max(0, value ?? 0)
      else if (toSkip > 0) toSkip--
      else onWord(word, value, isStarred)
      isStarred = false
    } else if (hex !== undefined) onBytes(String.fromCharCode(Number.parseInt(hex, 16)))
    else if (sign !== undefined) onSign(sign)
    else if (plain !== undefined) onBytes(plain)
  }
  flush()
  const said = out.text.replace(/^\n+/, '')
  return isHtml ? { text: '', html: said } : { text: said, html: '' }

  function onWord(word: string, value: number | undefined, starred: boolean) {
    if (word === 'u') {
      onText(String.fromCharCode((value ?? 0) & 0xffff))
      toSkip = group.fallback
    } else if (word === 'uc') group.fallback = Math.min(Math.max(0, value ?? 1), 100)
    else if (word === 'ansicpg' && value) usual = labelOf(value)
    else if (sets[word]) usual = sets[word]
    else if (word === 'fonttbl') group = { ...group, isApart: true, isFonts: true }
    else if (word === 'f' && group.isFonts) font = value
    else if ((word === 'fcharset' || word === 'cpg') && group.isFonts) {
      const page = word === 'cpg' ? labelOf(value ?? 0) : pageOfFont(value ?? 0)
      if (font !== undefined && page && fonts.size < 2_000) fonts.set(font, page)
    } else if (word === 'f') group.charset = fonts.get(value ?? 0) ?? ''
    else if (word === 'plain') group = { ...group, charset: '', isHidden: false }
    else if (word === 'v') group.isHidden = value !== 0
    else if (word === 'htmltag' && starred) group.isTag = true
    else if (word === 'htmlrtf') group.isRtfAlone = value !== 0
    else if (starred || apart.has(word)) group.isApart = true
    else if (characters[word]) onText(characters[word])
  }

  function onSign(sign: string) {
    if (toSkip > 0) toSkip--
    else if (sign === '~') onText('\u00a0')
    else if (sign === '_') onText('\u2011')
    else if (sign === '\n' || sign === '\r') onText('\n')
    else if ('\\{}'.includes(sign)) onBytes(sign)
  }

  function onBytes(given: string) {
    const bytes = given.slice(toSkip)
    toSkip -= given.length - bytes.length
    if (bytes === '' || !isShown()) return
    const charset = group.charset || usual
    if (charset !== out.charset) flush()
    out.charset = charset
    out.bytes.push(bytes)
  }

  function onText(text: string) {
    if (!isShown()) return
    flush()
    out.text += text
  }

  function isShown(): boolean {
    if (group.isApart || group.isHidden) return false
    return group.isTag || !(isHtml && group.isRtfAlone)
  }

  /** Characters of several bytes may be written byte by byte. */
  function flush() {
    if (out.bytes.length === 0) return
    out.text += decodeText(Buffer.from(out.bytes.join(''), 'latin1'), out.charset).text
    out.bytes = []
  }
}

// What the control words of RTF stand for, as far as they are text or say how to read it (Rich Text Format Specification 1.9.1).

/** Characters that have a word of their own, and breaks. */
const characters: Record<string, string> = {
  ...{ par: '\n', line: '\n', sect: '\n', page: '\n', row: '\n', softline: '\n', lbr: '\n' },
  ...{ tab: '\t', cell: '\t', nestcell: '\t', nestrow: '\n' },
  ...{ emdash: '—', endash: '–', bullet: '•', lquote: '‘', rquote: '’' },
  ...{ ldblquote: '“', rdblquote: '”', emspace: ' ', enspace: ' ', qmspace: ' ' },
  ...{ zwj: '\u200d', zwnj: '\u200c', ltrmark: '\u200e', rtlmark: '\u200f' },
}

/** Groups whose content is no text of the letter. Others of the kind begin with `\*`. */
const apart = new Set(
  `fonttbl colortbl stylesheet info pict object header headerl headerr headerf footer footerl footerr footerf filetbl xe tc rxe
  txe nonshppict objdata comment annotation private themedata colorschememapping datastore latentstyles`.split(
    /\s+/,
  ),
)

/** Sets of characters that a whole text may say that it has. */
const sets: Record<string, string> = { mac: 'macintosh', pc: 'cp437', pca: 'cp850' }

/** The pages of the sets of characters that fonts have (\fcharset). */
const pages: Record<number, number> = {
  ...{ 0: 1252, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258 },
  ...{ 177: 1255, 178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250, 254: 437, 255: 850 },
}
const pageOfFont = (set: number): string | undefined =>
  pages[set] === undefined ? undefined : labelOf(pages[set])

/** A number of a page, as Windows has them, in a label that is understood. */
const labelOf = (page: number): string =>
  page >= 1250 && page <= 1258 ? `windows-${page}` : page === 10000 ? 'macintosh' : `cp${page}`
