import type { readSheet } from 'read-excel-file/node'
import { largestNumber } from '../own-fields.ts'
import { characterOf, keepable } from '../text.ts'
import { type Cell, textOf } from './cells.ts'
import { recogniseColumns } from './columns.ts'
import { kindOf } from './contacts.ts'
import { isStopField } from './stops.ts'
import type { Unreadable } from './unreadable.ts'
import { unzip, zipStored } from './zip.ts'

// Reads workbooks (.xlsx). The archive is opened here and not by the library, which trusts the unpacked size that the archive
// claims.

const mostSheets = 100
const mostRows = 1_048_576
const mostColumns = 16_384

/** Whether a file is a zip archive, as a workbook is. */
export const isArchive = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5)

export type Workbook = { rows: Cell[][]; sheets: string[]; sheet: string | null }

/**
 * The rows of a sheet, counted from its first one: the sheet of that name, or else the one that looks most like people, or else
 * the first that has any rows.
 */
export async function readWorkbook(
  bytes: Uint8Array,
  wanted?: string,
): Promise<Workbook | Unreadable> {
  const entries = unzip(bytes, (name) => /\.xml(?:\.rels)?$/.test(name))
  if (typeof entries === 'string') return { unreadable: entries }
  const directory = entries.find(({ name }) => name === 'xl/workbook.xml')
  if (!directory) return { unreadable: archiveOf(bytes) }
  // ECMA-376 part 2 forbids document types, which serve for attacks with entities that expand to others.
  if (entries.some(({ content }) => content.includes('<!DOCTYPE')))
    return {
      unreadable: 'It contains a document type declaration, which is not allowed in a workbook.',
    }
  const archive = zipStored(
    entries.map((entry) =>
      /^xl\/worksheets\/[^/]*\.xml$/.test(entry.name) && !isWide(entry.content)
        ? { ...entry, content: Buffer.from(withPlaces(entry.content.toString('utf8'))) }
        : entry,
    ),
  )
  // Most processes that can read a workbook are never given one.
  const { readSheet, SheetNotFoundError } = await import('read-excel-file/node')
  const { now } = Date
  try {
    Date.now = stopped
    const sheets = sheetNames(directory.content)
    const named = wanted === undefined ? -1 : sheets.indexOf(wanted)
    let best: { rows: Cell[][]; place: number; likeness: number } | undefined
    for (let place = 0; place < Math.min(Math.max(sheets.length, 1), mostSheets); place++) {
      if (named >= 0 && place !== named) continue
      const rows = (await sheetOf(readSheet, archive, place + 1)).map((row) => row.map(cellOf))
      if (rows.length > mostRows) continue
      if (!rows.some((row) => row.some((cell) => textOf(cell).trim() !== ''))) continue
      const likeness = likenessToPeople(rows)
      if (!best || likeness > best.likeness) best = { rows, place, likeness }
    }
    if (best) return { rows: best.rows, sheets, sheet: sheets[best.place] ?? null }
    return { unreadable: 'It is empty.' }
  } catch (error) {
    return error instanceof SheetNotFoundError
      ? { unreadable: 'It is empty.' }
      : { unreadable: 'It is not a workbook that can be read: save it again as .xlsx.' }
  } finally {
    Date.now = now
  }
}

/** The names of the sheets in their order (ECMA-376 part 1, 18.2.20). */
function sheetNames(directory: Buffer): string[] {
  const tags = directory.toString('utf8').matchAll(/<(?:\w{1,20}:)?sheet\s([^<>]*)>/g)
  return Array.from(tags, ([, attributes = '']) => {
    const [, , name = ''] = /(?:^|\s)name\s*=\s*(["'])([^"']*)\1/.exec(attributes) ?? []
    return keepable(textOfXml(name))
  })
}

/** What an archive is that holds no workbook. */
function archiveOf(bytes: Uint8Array): string {
  const names = Buffer.from(bytes).toString('latin1')
  if (names.includes('opendocument.spreadsheet'))
    return 'It is an OpenDocument spreadsheet (.ods): save it as .xlsx or CSV.'
  if (names.includes('Index/Document.iwa') || names.includes('Index/Tables/'))
    return 'It is a Numbers document: export it as .xlsx or CSV.'
  if (names.includes('xl/workbook.bin')) return 'It is a binary workbook (.xlsb): save it as .xlsx.'
  if (names.includes('word/document.xml')) return 'It is a text document (.docx), not a table.'
  if (/\.(?:csv|vcf|xlsx?|txt)/i.test(names))
    return 'It is an archive (.zip) with other files: unpack it, and import the table in it.'
  return 'It is an archive, but not a workbook (.xlsx).'
}

// The library cuts a sheet into pieces whose size depends on how long the last one took, and for each piece it copies all rows
// so far and calls itself. On a busy machine the pieces shrink until the stack overflows; while the clock stands still, each is
// twice as large as the last.
const stopped = () => 0

/**
 * Adds the reference of each cell that lacks one. It may be left out (ECMA-376 part 1, 18.3.1.4), and the cell then follows the
 * one before, but the library needs it.
 */
function withPlaces(sheet: string): string {
  let row = 0
  let column = 0
  return sheet.replace(
    /<((?:\w{1,20}:)?)(row|c)((?:[\s/][^<>]*)?)>/g,
    (tag, prefix: string, name: string, attributes: string) => {
      const place = /\sr\s*=\s*["']([^"']*)["']/.exec(attributes)?.[1]
      if (name === 'row') {
        row = place === undefined ? row + 1 : Number(place)
        column = 0
        return place === undefined ? `<${prefix}row r="${row}"${attributes}>` : tag
      }
      if (place === undefined && column < mostColumns)
        return `<${prefix}c r="${lettersOf(++column)}${row}"${attributes}>`
      if (place !== undefined) column = numberOf(place.replace(/\d/g, ''))
      return tag
    },
  )
}

/** Whether a text begins with the byte order mark of UTF-16. */
const isWide = ([first, second]: Uint8Array) =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

/** 1 is A, 27 is AA. */
function lettersOf(column: number): string {
  let letters = ''
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  return letters
}

const numberOf = (letters: string) =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)

/** The rows of a sheet; a sheet with only a chart has none. */
async function sheetOf(
  read: typeof readSheet,
  archive: Buffer,
  sheet: number,
): Promise<unknown[][]> {
  // Numbers are read as they are written: as floating point, long ones would lose digits.
  const rows = await read<Cell>(archive, sheet, {
    parseNumber: (text) => text && numberOrText(text),
  })
  return (rows as unknown[][] | undefined) ?? []
}

function cellOf(cell: unknown): Cell {
  if (cell === null || cell === undefined) return ''
  if (cell instanceof Date) return moment(cell)
  if (typeof cell === 'boolean' || typeof cell === 'number') return cell
  return keepable(String(cell))
}

/** A number, unless it would lose digits. */
function numberOrText(text: string): Cell {
  const written = numeral(text)
  const number = Number(written)
  return String(number) === written && Math.abs(number) <= largestNumber ? number : written
}

/** 4.915112345678E12 is a phone number, and 0.30000000000000004 is 0.3: fifteen digits, as Excel shows them. */
function numeral(text: string): string {
  if (/^-?\d+$/.test(text)) return text
  const number = Number(text)
  if (!Number.isFinite(number)) return text
  if (Number.isInteger(number) && Math.abs(number) < 1e21) return BigInt(number).toString()
  return String(Number(number.toPrecision(15)))
}

/** A day, a day with a time, or a time alone: cells have no zone. */
function moment(at: Date): string {
  if (Number.isNaN(at.getTime())) return ''
  const [day = '', time = ''] = at.toISOString().slice(0, 19).split('T')
  const short = time.replace(/:00$/, '')
  if (at.getTime() < firstDay) return short
  return time === '00:00:00' ? day : `${day} ${short}`
}

const firstDay = Date.parse('1900-01-01T00:00:00Z')

const sampleRows = 100

/**
 * How much a sheet looks like one of people, from 0: the members of a person that its headings name, then the addresses in its
 * first rows.
 */
export function likenessToPeople(rows: Cell[][]): number {
  const sample = rows
    .slice(0, sampleRows * 2)
    .map((cells) => cells.map(textOf))
    .filter((cells) => cells.some((cell) => cell.trim() !== ''))
    .slice(0, sampleRows)
  const { columns, headings } = recogniseColumns(sample, [])
  const people = sample.slice(headings + 1)
  const addressed = people.filter((cells) => cells.some((cell) => kindOf(cell) !== undefined))
  if (addressed.length === 0) return 0
  const named = new Set(
    columns.flatMap(({ field }) =>
      field === null || field.startsWith('fields.') || isStopField(field) ? [] : [field],
    ),
  )
  return (headings < 0 ? 0 : named.size * (sampleRows + 1)) + addressed.length
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The text of an attribute of XML (XML 1.0, 4.1 and 4.6). */
export const textOfXml = (written: string): string =>
  written.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi, (all, hex, decimal, name) => {
    if (name !== undefined) return named[name as string] ?? all
    return (hex ? characterOf(hex, 16) : characterOf(decimal, 10)) ?? '\ufffd'
  })
