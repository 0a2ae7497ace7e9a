import { parse } from 'csv-parse/sync'
import { type Cell, type Take, textOf } from './cells.ts'
import { decodeText } from './decode.ts'
import { fieldOfHeading } from './headings.ts'
import type { Unreadable } from './unreadable.ts'
import { isCards, takeCards } from './visiting-cards.ts'
import { isArchive, readWorkbook } from './workbook.ts'

// Reads a file of people as a table. Nothing here trusts the file; the caller runs it in a separate process (child.ts).

/** More columns than any export of contacts has. A file with more is refused, because the plan answers each column. */
const mostColumns = 1000

/** The sheets of a workbook, and the one whose rows were read; a text has none. */
export type Table = { sheets: string[]; sheet: string | null }

/**
 * Reads a workbook, CSV in any encoding with any of the usual delimiters, or visiting cards (vCard), and hands each row that is
 * not blank to `take` with its number. The interface leaves open how rows are counted: from 1, as a spreadsheet does, headings
 * and blank rows included; of visiting cards, each is a row. With `atMost`, it stops after that many rows. Returns the reason if
 * the file cannot be read.
 */
export async function readTable(
  bytes: Uint8Array,
  take: Take,
  { atMost, sheet }: { atMost: number | undefined; sheet: string | undefined },
): Promise<Table | Unreadable> {
  if (isArchive(bytes)) {
    const read = await readWorkbook(bytes, sheet)
    if ('unreadable' in read) return read
    return takeRows(read.rows, take) ?? { sheets: read.sheets, sheet: read.sheet }
  }
  const text = decodeText(bytes)
  if (typeof text !== 'string') return text
  const other = otherFormat(text)
  if (other !== undefined) return { unreadable: other }
  const unreadable = isCards(text) ? takeCards(text, take) : readText(text, take, atMost)
  return unreadable ?? { sheets: [], sheet: null }
}

const isBlank = (cells: Cell[]) => cells.every((cell) => textOf(cell).trim() === '')

function takeRows(rows: Cell[][], take: Take): Unreadable | undefined {
  if (rows.some((cells) => cells.length > mostColumns)) return tooWide
  rows.forEach((cells, i) => {
    if (!isBlank(cells)) take(cells, i + 1)
  })
  return undefined
}

const tooWide = { unreadable: `It has more than ${mostColumns} columns.` }

function readText(text: string, take: Take, atMost: number | undefined): Unreadable | undefined {
  const hint = /^sep=(.)\r?\n/i.exec(text)
  const body = hint ? text.slice(hint[0].length) : text
  const guess = guessDelimiter(body.slice(0, 65_536))
  if (guess.columns > mostColumns) return tooWide
  let row = hint ? 1 : 0
  try {
    parse(body, {
      delimiter: hint?.[1] ?? guess.delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      ...(atMost !== undefined && { to: atMost }),
      // Rows are not kept: a file of single characters has three million of them.
      on_record: (cells: string[]) => {
        row++
        if (!isBlank(cells)) take(cells.map(withoutFormula), row)
        return null
      },
    })
    return undefined
  } catch (error) {
    const open = error instanceof Error && 'code' in error && error.code === 'CSV_QUOTE_NOT_CLOSED'
    return {
      unreadable: open
        ? 'It has a quotation mark that is never closed.'
        : 'It is not a table of comma-separated values.',
    }
  }
}

/** Programs keep a spreadsheet from taking a text for a number by making it a formula: ="+49151". */
const withoutFormula = (cell: string) => /^="([^"]*)"$/.exec(cell)?.[1] ?? cell

const delimiters = [',', ';', '\t', '|'] as const

/**
 * The delimiter that splits most of the first rows into the same number of cells; a comma if none does. A title above them may
 * have none.
 */
function guessDelimiter(text: string): { delimiter: string; columns: number } {
  const rows = countDelimiters(text).slice(0, 50)
  const lines = text.split(/[\r\n]+/, mostTitles)
  const scored = delimiters.map((delimiter) => {
    const counts = rows.map((row) => row[delimiter] ?? 0)
    const some = counts.filter((count) => count > 0)
    const alike = Map.groupBy(some, (count) => count)
    const [usual = 0, same = []] =
      [...alike].sort(([, one], [, other]) => other.length - one.length)[0] ?? []
    return {
      delimiter,
      columns: Math.max(0, ...counts) + 1,
      // Commas may stand in every cell: what parts known headings counts for more.
      score:
        (lines.some((line) => partsHeadings(line, delimiter)) ? 1_000_000 : 0) +
        same.length * 1000 +
        some.length * 10 +
        Math.min(usual, 9),
    }
  })
  return scored.reduce((best, next) => (next.score > best.score ? next : best))
}

const mostTitles = 30
const mostHeadings = 60

const partsHeadings = (line: string, delimiter: string) =>
  line
    .split(delimiter, mostHeadings)
    .filter((cell) => fieldOfHeading(cell.replaceAll('"', '')) !== undefined).length > 1

function countDelimiters(text: string): Record<string, number>[] {
  const rows: Record<string, number>[] = []
  let row: Record<string, number> = {}
  let quoted = false
  let blank = true
  for (const character of text) {
    if (character === '"') quoted = !quoted
    if (quoted) continue
    if (character === '\n' || character === '\r') {
      if (!blank) rows.push(row)
      row = {}
      blank = true
      continue
    }
    blank = false
    if (character === ',' || character === ';' || character === '\t' || character === '|')
      row[character] = (row[character] ?? 0) + 1
  }
  // The caller may have cut off the last row, so that row counts only if there is no other.
  return rows.length > 0 || blank ? rows : [row]
}

// Texts that are no tables, and what they are: read as one, they would be rows of nobody.

const sampleCharacters = 20_000
const mostLines = 50

/** What a text is that is neither a table nor visiting cards, and what to do; undefined if it may be one. */
export function otherFormat(text: string): string | undefined {
  const start = text.slice(0, sampleCharacters).replace(/^\s+/, '')
  const lines = start.split(/\r\n|\n|\r/, mostLines).filter((line) => line.trim() !== '')
  return formats.find(({ is }) => is(start, lines))?.says
}

type Format = { is: (start: string, lines: string[]) => boolean; says: string }

const formats: Format[] = [
  {
    is: (start, lines) =>
      (/^[{[]\s*["{[\]}]/.test(start) && /["\]}]\s*:|^\[\s*[[{"]/.test(start)) ||
      (lines.length > 0 && lines.every((line) => /^\s*\{\s*"/.test(line))),
    says: 'It is JSON, not a table: export it as CSV or .xlsx.',
  },
  {
    is: (start) => /^BEGIN:VCALENDAR/i.test(start),
    says: 'It is a calendar (iCalendar), not a table of people.',
  },
  {
    is: (_, lines) =>
      /^(?:version: \d+|dn::? .+)$/i.test(lines[0] ?? '') &&
      lines.some((line) => /^dn::? /i.test(line)),
    says: 'It is a directory (LDIF), not a table: export it as CSV or .xlsx.',
  },
  {
    is: (_, lines) =>
      /^From \S+@\S+ .*\d{4}/.test(lines[0] ?? '') ||
      ['from', 'date', 'subject'].every((head) =>
        lines.slice(0, 40).some((line) => line.toLowerCase().startsWith(`${head}: `)),
      ),
    says: 'It is a mail, not a table of people.',
  },
  {
    is: (start) =>
      /^(?:--[^\n]*\n|\/\*[^*]*\*\/|\s)*(?:CREATE TABLE|INSERT INTO|DROP TABLE|SET NAMES)\b/i.test(
        start,
      ),
    says: 'It is a dump of a database (SQL), not a table: export it as CSV or .xlsx.',
  },
  {
    is: (_, lines) => isMailList(lines),
    says: 'It is a list of mail addresses ("Name" <address>), not a table: write name and address into two columns, with the headings Name and Email.',
  },
  {
    is: (start, lines) => /^---\s*$/.test(lines[0] ?? '') || /^-\s+\w+:\s/.test(start),
    says: 'It is YAML, not a table: export it as CSV or .xlsx.',
  },
]

/** Lines of "Nadia Roth" <nadia@roth.example>, or several such on one line, as mail programs copy recipients. */
function isMailList(lines: string[]): boolean {
  const parts = lines
    .flatMap((line) => line.replace(/"[^"]*"/g, '').split(/[,;]/))
    .filter((part) => part.trim() !== '')
  return parts.length > 0 && parts.every((part) => recipient.test(part.trim()))
}
const recipient = /^[^<>@|\t]*<[^<>@\s]+@[^<>@\s]+>$/
