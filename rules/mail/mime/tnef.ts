import { decodeText } from '../charsets/decode.ts'
import { readRtf } from './rtf.ts'
import { inflateRtf } from './rtf-compressed.ts'
import { type Properties, readProperties } from './tnef-properties.ts'

// What Outlook and Exchange pack into winmail.dat ([MS-OXTNEF]): the files of a mail, and its text where that is nowhere else.

export type Unpacked = { text: string; html: string; files: PackedFile[] }
export type PackedFile = { name: string; type: string; cid: string; content: Buffer }

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
