import { mostFields } from '../own-fields.ts'
import { cut } from '../text.ts'
import { type ContactKind, contactKinds, kindOf, kindOfCells } from './contacts.ts'
import { headingsAt } from './grouped-headings.ts'
import { fieldOfHeading, type ImportField, ownFieldOf } from './headings.ts'
import { isOfOthers } from './others.ts'
import { plainHeading } from './plain-heading.ts'
import { isSalutation } from './salutations.ts'
import { answersStop, isStopField } from './stops.ts'

/** A column of the file: `name` is unique in it, and `sample` is its first cell that is not blank. */
export type Column = { name: string; field: ImportField | null; sample: string }
/** A column as the client corrected it; without a field it is left out. Columns that are not named stay as recognised. */
export type Correction = { name: string; field: ImportField | null }

export type Recognised = {
  columns: Column[]
  /** The place of the row with the headings; -1 if the first row is already a person. */
  headings: number
  /** The places in `corrections` that name no column of the file. */
  unknown: number[]
  /** The columns that are left out because a person has no room for them; none of them was corrected. */
  beyond: string[]
}

/**
 * Recognises columns by their headings or, if those say nothing, by the content of the first rows. `given` is the place of the
 * headings where the client says it.
 */
export function recogniseColumns(
  rows: string[][],
  corrections: Correction[],
  given?: number,
): Recognised {
  const place = given ?? findHeadings(rows)
  const header = place >= 0
  const first = headingsAt(rows, place)
  const content = rows.slice(place + 1)
  const width = header ? first.length : Math.max(0, ...rows.map((row) => row.length))
  const names = uniqueNames(
    Array.from({ length: width }, (_, i) => (header ? (first[i] ?? '') : '')),
  )
  const cells = (i: number) =>
    content.map((row) => (row[i] ?? '').trim()).filter((cell) => cell !== '')

  const columns = names.map((name, i): Column => {
    const field = header ? fieldOfHeading(first[i] ?? '') : undefined
    const answers = field === undefined || !isStopField(field) || answersStop(field, cells(i))
    return {
      name,
      field: answers ? (field ?? null) : null,
      sample: cut(cells(i)[0] ?? '', longest),
    }
  })
  for (const kind of contactKinds) takeByContent(kind, columns, cells, header)
  if (!header) nameByContent(columns, cells)
  settleTitles(columns, cells)
  settleNames(columns, content)
  const tooMany = header ? keepOthers(columns, first) : []

  const unknown: number[] = []
  corrections.forEach(({ name, field }, place) => {
    const column = columns.find((column) => column.name === name)
    if (column) column.field = field
    else unknown.push(place)
  })
  const corrected = new Set(corrections.map(({ name }) => name))
  return {
    columns,
    headings: place,
    unknown,
    beyond: tooMany.filter((name) => !corrected.has(name)),
  }
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

/**
 * Where no heading names addresses of a kind, the column whose content shows them is that of the person. Of several, it is the
 * one with the most different addresses: that of a colleague or of an office stands in many rows. A second one is never taken.
 */
function takeByContent(
  kind: ContactKind,
  columns: Column[],
  cells: (i: number) => string[],
  header: boolean,
) {
  if (columns.some(({ field }) => field === kind)) return
  // Below another heading, digits alone are more often the number of a customer, and numbers are also those of firms.
  const mayBe = (i: number) =>
    kind !== 'phone' ||
    !header ||
    (cells(i).some((cell) => /\D/.test(cell)) && !ofFirms.test(columns[i]?.name ?? ''))
  const found = columns.flatMap((column, i) =>
    column.field === null && !isOfOthers(column.name) && kindOfCells(cells(i)) === kind && mayBe(i)
      ? [{ column, different: new Set(cells(i).map((cell) => cell.toLowerCase())).size }]
      : [],
  )
  const most = Math.max(...found.map(({ different }) => different))
  const taken = found.find(({ different }) => different === most)
  if (taken) taken.column.field = kind
}

const ofFirms =
  /company|corporate|organi[sz]ation|firm|account|empres|société|societe|azienda|bedrijf|hotline/i

// Outlook's "Title" is "Herr", which is no job title, also where no row has one.
function settleTitles(columns: Column[], cells: (i: number) => string[]) {
  const titles = columns.flatMap((column, i) =>
    column.field === 'jobTitle' ? [{ column, cells: cells(i) }] : [],
  )
  for (const { column, cells: given } of titles)
    if (
      given.length === 0
        ? titles.length > 1 && /^tit(?:le|el|re|ulo|olo)$/i.test(column.name)
        : given.filter(isSalutation).length * 2 > given.length
    )
      column.field = null
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

/**
 * "Name; Vorname" and "Nombre, Apellidos": beside one half of a name, the word for "name" means the other half, unless its cells
 * repeat the half that is there.
 */
function settleNames(columns: Column[], content: string[][]) {
  const placeOf = (field: ImportField) => columns.findIndex((column) => column.field === field)
  const [first, last] = [placeOf('firstName'), placeOf('lastName')]
  const names = columns.filter((column) => column.field === 'name')
  if (first < 0 === last < 0 || names.length !== 1) return
  const name = placeOf('name')
  const halves = content.flatMap((row) => {
    const [whole = '', half = ''] = [row[name], row[Math.max(first, last)]].map((cell) =>
      plainHeading(cell ?? ''),
    )
    return whole === '' || half === '' ? [] : [` ${whole} `.includes(` ${half} `)]
  })
  const isWhole = halves.filter(Boolean).length * 2 > halves.length
  if (halves.length > 0 && !isWhole) names[0]!.field = first >= 0 ? 'lastName' : 'firstName'
}

// Exports and people put a title, a date or a note above the headings, so these are looked for in the first rows.

const mostTitles = 25

/** The place of the row with the headings; -1 if the first row is a person already. */
export function findHeadings(rows: string[][]): number {
  const first = rows.slice(0, mostTitles)
  const people = first.map((cells) => cells.some((cell) => kindOf(cell) !== undefined))
  const person = people.indexOf(true)
  const before = person < 0 ? first.length : person
  let best: { place: number; score: number } | undefined
  first.forEach((_, place) => {
    if (people[place]) return
    const score = scoreOf(headingsAt(first, place), place > before)
    if (score > (best?.score ?? 0)) best = { place, score }
  })
  if (best) return best.place
  // Headings in words that are not known: the first row that is about as wide as that of a person.
  const width = filled(first[before] ?? first.at(-1) ?? [])
  const wide = first.slice(0, before).findIndex((cells) => filled(cells) * 2 > width)
  if (wide >= 0) return wide
  return before === 0 ? -1 : 0
}

const filled = (cells: string[]) => cells.filter((cell) => cell.trim() !== '').length

/** How many headings a row has; 0 if it is none. Below a person only headings of addresses are believed. */
function scoreOf(cells: string[], isBelow: boolean): number {
  const fields = cells.flatMap((cell) => fieldOfHeading(cell) ?? [])
  const ofContacts = fields.some((field) => contactFields.has(field))
  if (fields.length === 0 || (isBelow && (fields.length < 2 || !ofContacts))) return 0
  // A title of one known word, such as "Contact", yields to the headings below it.
  return fields.length * 2 + (ofContacts ? 1 : 0)
}

const contactFields = new Set<string>(['email', 'phone', 'linkedin', 'externalId'])
