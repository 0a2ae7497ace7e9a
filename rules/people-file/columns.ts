import { readEmail, readPhone } from '../addresses.ts'
import { mostFields } from '../own-fields.ts'
import { cut } from '../text.ts'
import { fieldOfHeading, type ImportField, ownFieldOf } from './headings.ts'

/** A column of the file: `name` is unique in it, and `sample` is its first cell that is not blank. */
export type Column = { name: string; field: ImportField | null; sample: string }
/** A column as the client corrected it; without a field it is left out. Columns that are not named stay as recognised. */
export type Correction = { name: string; field: ImportField | null }

export type Recognised = {
  columns: Column[]
  /** False if the first row is already a person. */
  header: boolean
  /** The places in `corrections` that name no column of the file. */
  unknown: number[]
  /** The columns that are left out because a person has no room for them; none of them was corrected. */
  beyond: string[]
}

/** Recognises columns by their headings or, if those say nothing, by the content of the first rows. */
export function recogniseColumns(rows: string[][], corrections: Correction[]): Recognised {
  const first = rows[0] ?? []
  const header = !first.some((cell) => kindOf(cell) !== undefined)
  const content = header ? rows.slice(1) : rows
  const width = header ? first.length : Math.max(0, ...rows.map((row) => row.length))
  const names = uniqueNames(
    Array.from({ length: width }, (_, i) => (header ? (first[i] ?? '') : '')),
  )
  const cells = (i: number) =>
    content.map((row) => (row[i] ?? '').trim()).filter((cell) => cell !== '')

  const columns = names.map((name, i): Column => {
    const byHeading = header ? fieldOfHeading(first[i] ?? '') : undefined
    return {
      name,
      field: byHeading ?? fieldOfCells(cells(i)),
      sample: cut(cells(i)[0] ?? '', longest),
    }
  })
  if (!header) nameByContent(columns, cells)
  settleNames(columns)
  const tooMany = header ? keepOthers(columns, first) : []

  const unknown: number[] = []
  corrections.forEach(({ name, field }, place) => {
    const column = columns.find((column) => column.name === name)
    if (column) column.field = field
    else unknown.push(place)
  })
  const corrected = new Set(corrections.map(({ name }) => name))
  return { columns, header, unknown, beyond: tooMany.filter((name) => !corrected.has(name)) }
}

/**
 * Every other column with a heading becomes a field of the client's own, as many as a person may have. Answers the names of those
 * beyond.
 */
function keepOthers(columns: Column[], headings: string[]): string[] {
  const taken = new Set<string>()
  const beyond: string[] = []
  columns.forEach((column, i) => {
    if (column.field !== null || (headings[i] ?? '').trim() === '') return
    const field = ownFieldOf(column.name, taken)
    if (field === undefined) return
    if (taken.size >= mostFields) {
      beyond.push(column.name)
      return
    }
    taken.add(field)
    column.field = field
  })
  return beyond
}

const longest = 200

function uniqueNames(headings: string[]) {
  const taken = new Set<string>()
  return headings.map((heading, i) => {
    const base = cut(heading.trim(), longest) || `column ${i + 1}`
    let name = base
    for (let n = 2; taken.has(name); n++) name = `${base} (${n})`
    taken.add(name)
    return name
  })
}

function kindOf(cell: string): ImportField | undefined {
  const text = cell.trim()
  if (text === '' || text.length > 300) return undefined
  if (readEmail(text)) return 'email'
  if (/^(?:https?:\/\/)?(?:[\w-]+\.)?linkedin\.com\/(?:in|pub)\/\S+$/i.test(text)) return 'linkedin'
  // A plus, a leading zero or brackets are required, because bare digits are more often some other number.
  if (/^(?:\+|\(?0|\(\d)/.test(text) && text.replace(/\D/g, '').length >= 7 && readPhone(text))
    return 'phone'
  return undefined
}

/** The field that most of the cells look like. */
function fieldOfCells(cells: string[]): ImportField | null {
  if (cells.length === 0) return null
  const kinds = cells.map(kindOf)
  for (const kind of ['email', 'linkedin', 'phone'] as const)
    if (kinds.filter((found) => found === kind).length * 10 >= cells.length * 6) return kind
  return null
}

const looksLikeName = (cell: string) =>
  cell.length <= 60 && /^\p{L}[\p{L}\p{M}.'’-]*(?: [\p{L}\p{M}.'’-]+){1,3}$/u.test(cell)

// Without headings, the first column of two to four words is taken as the name.
function nameByContent(columns: Column[], cells: (i: number) => string[]) {
  const place = columns.findIndex(
    ({ field }, i) =>
      field === null &&
      cells(i).length > 0 &&
      cells(i).filter(looksLikeName).length * 10 >= cells(i).length * 6,
  )
  const column = columns[place]
  if (column) column.field = 'name'
}

// "Name; Vorname" and "Nombre, Apellidos": beside one half of a name, the word for "name" means the other half.
function settleNames(columns: Column[]) {
  const has = (field: ImportField) => columns.some((column) => column.field === field)
  const [first, last] = [has('firstName'), has('lastName')]
  const names = columns.filter((column) => column.field === 'name')
  if (first === last || names.length !== 1) return
  const other = first ? 'lastName' : 'firstName'
  if (isOneWord(names[0]!.sample)) names[0]!.field = other
}

const isOneWord = (sample: string) => sample !== '' && !/\s/.test(sample)
