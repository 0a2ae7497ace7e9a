import { decodeText } from '../charsets/decode.ts'
import { readRtf } from './rtf.ts'

// What Outlook and Exchange pack into winmail.dat ([MS-OXTNEF]): the files of a mail, and its text where that is nowhere else.

type Unpacked = { text: string; html: string; files: PackedFile[] }
type PackedFile = { name: string; type: string; cid: string; content: Buffer }

const signature = 0x223e9f78
const [atBody, atMessage, atCodePage] = [0x2800c, 0x69003, 0x69007]
const [atRendering, atTitle, atData, atAttachment] = [0x69002, 0x18010, 0x6800f, 0x69005]
const mostFiles = 500

type Draft = { title: string; data: Buffer; properties: Properties }

/** Undefined if it is none, or one of whose files not all could be had: then it is kept as it came. */
export function unpackTnef(bytes: Buffer): Unpacked | undefined {
  if (bytes.length < 6 || bytes.readUInt32LE(0) !== signature) return undefined
  let page = ''
  let body = ''
  let message: Properties = new Map()
  const drafts: Draft[] = []
  for (let at = 6; at + 9 <= bytes.length; ) {
    const id = bytes.readUInt32LE(at + 1)
    const length = bytes.readUInt32LE(at + 5)
    const data = bytes.subarray(at + 9, at + 9 + length)
    if (data.length < length) return undefined
    const draft = drafts.at(-1)
    if (id === atCodePage && length >= 4) page = `cp${data.readUInt32LE(0)}`
    else if (id === atBody) body = textIn(data, page)
    else if (id === atMessage) message = readProperties(data)
    else if (id === atRendering) {
      if (drafts.length === mostFiles) return undefined
      drafts.push({ title: '', data: Buffer.alloc(0), properties: new Map() })
    } else if (draft && id === atTitle) draft.title = textIn(data, page)
    else if (draft && id === atData) draft.data = data
    else if (draft && id === atAttachment) draft.properties = readProperties(data)
    // A checksum of two bytes stands behind each.
    at += 9 + length + 2
  }
  const files = drafts.map((draft) => fileOf(draft, page))
  if (files.some(({ content }) => content.length === 0)) return undefined
  const html = message.get(pr.html)
  const letter = {
    text: wordsOf(message, pr.body, page) || body,
    html:
      html === undefined
        ? ''
        : textIn(html.bytes, html.isUnicode ? 'utf-16le' : pageOfHtml(message, page)),
  }
  const hasWords = (letter.text + letter.html).trim() !== ''
  return { ...(hasWords ? letter : inRtf(message)), files }
}

/** The letter where it is in RTF alone, as Exchange and Outlook keep it. */
function inRtf(message: Properties): { text: string; html: string } {
  const found = message.get(pr.rtf)
  const rtf = found && inflateRtf(found.bytes)
  return rtf ? readRtf(rtf) : { text: '', html: '' }
}

const pr = {
  body: 0x1000,
  rtf: 0x1009,
  html: 0x1013,
  codePage: 0x3fde,
  data: 0x3701,
  shortName: 0x3704,
  longName: 0x3707,
  type: 0x370e,
  cid: 0x3712,
  displayName: 0x3001,
}

function fileOf({ title, data, properties }: Draft, page: string): PackedFile {
  const said = (id: number) => wordsOf(properties, id, page)
  return {
    name: said(pr.longName) || title || said(pr.shortName) || said(pr.displayName),
    type: said(pr.type),
    cid: said(pr.cid),
    content: data.length > 0 ? data : (properties.get(pr.data)?.bytes ?? data),
  }
}

function pageOfHtml(message: Properties, page: string): string {
  const own = message.get(pr.codePage)?.bytes
  return own?.length === 4 ? `cp${own.readUInt32LE(0)}` : page
}

function wordsOf(properties: Properties, id: number, page: string): string {
  const found = properties.get(id)
  return found ? textIn(found.bytes, found.isUnicode ? 'utf-16le' : page) : ''
}

/** Texts end with a zero. The numbers of code pages are those of Windows. */
function textIn(bytes: Buffer, charset: string): string {
  const label = charset.replace(/^cp(12\d\d|874)$/, 'windows-$1')
  const { text } = decodeText(bytes, label || undefined)
  const end = text.indexOf('\0')
  return end < 0 ? text : text.slice(0, end)
}

// The properties of MAPI in a part of a winmail.dat ([MS-OXTNEF] 2.1.3.4): a number, a type, and one value or several.

type Properties = Map<number, { bytes: Buffer; isUnicode: boolean }>

const [string8, unicode, object, binary] = [0x1e, 0x1f, 0x0d, 0x102]
const widths: Record<number, number> = {
  ...{ 2: 4, 3: 4, 4: 4, 5: 8, 6: 8, 7: 8, 10: 4, 11: 4 },
  ...{ 20: 8, 64: 8, 72: 16 },
}
const severalOf = 0x1000
const mostProperties = 5_000

/** Those that could be read, up to the first one that could not. */
function readProperties(bytes: Buffer): Properties {
  const properties: Properties = new Map()
  let at = 4
  const count = Math.min(bytes.length < 4 ? 0 : bytes.readUInt32LE(0), mostProperties)
  for (let i = 0; i < count; i++) {
    if (at + 4 > bytes.length) break
    const type = bytes.readUInt16LE(at)
    const id = bytes.readUInt16LE(at + 2)
    at += 4
    if (id >= 0x8000 && !skipName()) break
    const values = readValues(type)
    if (!values) break
    const [first] = values
    // The bytes of an object begin with the number of its interface.
    if (first && !properties.has(id))
      properties.set(id, {
        bytes: type === object ? first.subarray(16) : first,
        isUnicode: (type & ~severalOf) === unicode,
      })
  }
  return properties

  /** Properties with numbers of their own carry the name that these stand for. */
  function skipName(): boolean {
    if (at + 24 > bytes.length) return false
    const isText = bytes.readUInt32LE(at + 16) === 1
    at += isText ? 24 + padded(bytes.readUInt32LE(at + 20)) : 24
    return at <= bytes.length
  }

  function readValues(type: number): Buffer[] | undefined {
    const base = type & ~severalOf
    const isSized = [string8, unicode, object, binary].includes(base)
    const isSeveral = (type & severalOf) !== 0
    let count = 1
    if (isSeveral || isSized) {
      if (at + 4 > bytes.length) return undefined
      count = bytes.readUInt32LE(at)
      at += 4
    }
    const values: Buffer[] = []
    for (let i = 0; i < count; i++) {
      let width = widths[base]
      if (isSized) {
        if (at + 4 > bytes.length) return undefined
        width = bytes.readUInt32LE(at)
        at += 4
      }
      if (width === undefined || at + width > bytes.length) return undefined
      values.push(bytes.subarray(at, at + width))
      at += padded(width)
    }
    return values
  }
}

const padded = (length: number) => Math.ceil(length / 4) * 4

// RTF as it is compressed in MAPI ([MS-OXRTFCP]): bytes stand for themselves, or for a piece of what came within the last 4,096.

const [compressed, uncompressed] = [0x75465a4c, 0x414c454d]
const size = 4096
// What every text is taken to begin with.
const before = Buffer.from(
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx',
)
const longest = 4 * 1024 * 1024

/** Of bytes that are cut it gives those that are there; undefined if it is none. */
function inflateRtf(bytes: Buffer): Buffer | undefined {
  if (bytes.length < 16) return undefined
  const kind = bytes.readUInt32LE(8)
  const length = Math.min(bytes.readUInt32LE(4), longest)
  if (kind === uncompressed) return bytes.subarray(16, 16 + length)
  if (kind !== compressed) return undefined
  const window = Buffer.alloc(size)
  before.copy(window)
  const found = Buffer.alloc(length)
  let [place, count, at] = [before.length, 0, 16]
  const put = (byte: number) => {
    found[count++] = byte
    window[place] = byte
    place = (place + 1) % size
  }
  while (at < bytes.length && count < length) {
    const control = bytes[at++] as number
    for (let bit = 0; bit < 8 && at < bytes.length && count < length; bit++) {
      if ((control & (1 << bit)) === 0) {
        put(bytes[at++] as number)
        continue
      }
      const low = bytes[at + 1]
      if (low === undefined) return found.subarray(0, count)
      const from = ((bytes[at] as number) << 4) | (low >> 4)
      at += 2
      // A piece of what comes next: the end.
      if (from === place) return found.subarray(0, count)
      const end = Math.min(count + (low & 15) + 2, length)
      for (let source = from; count < end; source++) put(window[source % size] as number)
    }
  }
  return found.subarray(0, count)
}
