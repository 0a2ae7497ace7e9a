import { nameBeside } from '../address-cleaning.ts'
import { type Address, type AddressKind, keyOf, leftOut, readAddress } from '../addresses.ts'
import { longestFieldValue, type OwnFields, type OwnValue } from '../own-fields.ts'
import { cut } from '../text.ts'
import { type Cell, textOf } from './cells.ts'
import type { Column } from './columns.ts'
import { type ImportField, nameOfOwn, ownFieldOf } from './headings.ts'
import { numeralOf } from './numerals.ts'
import { isSalutation } from './salutations.ts'
import {
  type Asked,
  isStopField,
  readStop,
  type StopReason,
  stopWithin,
  strongest,
} from './stops.ts'

/** The fields of a card that are words. */
export type PersonFields = { name: string; city: string; jobTitle: string; company: string }

/** What is wrong with a row, or with one of its columns. */
export type ImportError = { row: number; column: string | null; code: string; message: string }

/** An address that was not read as its cell has it, and what was left out of it, in words. */
export type CleanedCell = {
  row: number
  column: string
  given: string
  read: string
  leftOut: string
}

/**
 * A row with at least one valid address, or with an id of the client's own; or with a name alone, if its addresses are those of
 * several people.
 */
export type PersonInFile = {
  row: number
  fields: Partial<PersonFields>
  addresses: Address[]
  externalId?: string
  own?: OwnFields
  /** Those numbers, by their keys, that stand in rows of different names: the number of an office leads to nobody by itself. */
  office?: string[]
}
/** Whom a row forbids to write to, why, and the column that says so; the row may be invalid. */
export type StopInFile = { row: number; reason: StopReason; column: string; emails: string[] }
/** An invalid row has no `person`; a valid row may have errors too. */
export type RowRead = {
  person?: PersonInFile
  stop?: StopInFile
  errors: ImportError[]
  cleaned: CleanedCell[]
  warning?: ImportError
}

/** The people in rows `from` (exclusive) to `to`, counted without the header and blank rows. */
export type Batch = {
  from: number
  to: number
  people: PersonInFile[]
  /** The rows without a person. */
  invalid: number[]
  stops: StopInFile[]
  errors: ImportError[]
  cleaned: CleanedCell[]
}

const longestField = 200
const longestId = 255

/** Returns the function that reads the rows of a file; `region` is that of national phone numbers. */
export function rowReader(
  columns: Column[],
  region?: string,
): (cells: Cell[], row: number) => RowRead {
  const stops = columns.map(stopOf)
  return (cells, row) => {
    const errors: ImportError[] = []
    const cleaned: CleanedCell[] = []
    const refuse = (column: string | null, code: keyof typeof messages) =>
      void errors.push({ row, column, code, message: messages[code] })

    const texts: Partial<Record<ImportField, string>> = {}
    const addresses = new Map<string, Address>()
    const own = new Map<string, OwnValue>()
    let said: { reason: StopReason; column: string } | undefined
    let warning: ImportError | undefined
    let beside = ''
    columns.forEach(({ name, field }, i) => {
      const given = cells[i] ?? ''
      const cell = textOf(given).trim()
      if (field === null || cell === '') return
      const asked = stops[i]
      const reason = asked && readStop(asked, given)
      if (reason && strongest(reason, said?.reason) === reason) said = { reason, column: name }
      if (isStopField(field)) return
      if ((field === 'phone' || field === 'externalId') && numeralOf(cell) === null) {
        refuse(name, 'rounded_number')
        return
      }
      if (field === 'jobTitle' && isSalutation(cell)) return
      if (isKind(field)) {
        for (const part of partsOf(field, cell)) {
          const address = readAddress(field, numeralOf(part) ?? part, region)
          if (!address) {
            refuse(name, `invalid_${field}`)
            continue
          }
          addresses.set(keyOf(address), address)
          if (field === 'email') beside ||= nameBeside(part)
          const what = leftOut(field, part)
          const of = { row, column: name, given: cut(part, longestField), read: address.given }
          if (what) cleaned.push({ ...of, leftOut: what })
          if (!region && field === 'phone' && !address.value.startsWith('+'))
            warning ??= { row, column: name, code: 'no_region', message: messages.no_region }
        }
        return
      }
      const of = nameOfOwn(field)
      if (cell.length > longestOf(field)) refuse(name, 'too_long')
      else if (of === undefined) texts[field] ??= cell
      else if (!own.has(of)) own.set(of, typeof given === 'string' ? cell : given)
    })
    const { externalId } = texts
    const emails = [...addresses.values()].filter(({ kind }) => kind === 'email')
    const told = {
      ...{ errors, cleaned },
      ...(warning && { warning }),
      ...(said && { stop: { row, ...said, emails: emails.map(({ value }) => value) } }),
    }
    if (addresses.size === 0 && externalId === undefined) {
      if (!errors.some(({ code }) => code !== 'too_long')) refuse(null, 'no_contact')
      return told
    }
    const fields = fieldsOf(texts, beside)
    const person = {
      row,
      fields,
      addresses: [...addresses.values()],
      ...(externalId !== undefined && { externalId }),
      ...(own.size > 0 && { own: Object.fromEntries(own) }),
    }
    return { person, ...told }
  }
}

/**
 * What a column says about whether its people may be written to. A column of words, such as "Status", is looked at too where it is
 * a field of the client's own, because the word may be one of many, or stand far down.
 */
function stopOf({ name, field }: Column): Asked | undefined {
  if (field === null) return undefined
  if (isStopField(field)) return field
  const asked = stopWithin(name)
  return asked !== undefined && field === ownFieldOf(name, new Set()) ? asked : undefined
}

export const messages = {
  invalid_email: 'is not an e-mail address',
  invalid_phone: 'is not a phone number',
  invalid_linkedin: 'is not a profile address',
  too_long: 'is too long and was left out',
  rounded_number:
    'was rounded by a spreadsheet, and its last digits are lost: format the column as text there, and export it again',
  shared_address:
    'stands in rows of different names, so it is nobody’s here and joins nobody: give each person an address of their own',
  no_region:
    'has numbers without a country code, and no `region` says whose they are: each spelling is taken for another number',
  no_contact: 'has no e-mail, phone or profile address, and no id of your own',
  matches_two: 'matches two different people',
  erased: 'is about somebody who was erased, and is not brought back',
  no_rows: 'has no row below it, so nobody is imported',
  too_many_columns: 'was left out, because a hundred other columns are fields of your own already',
  too_many_fields: 'would give the person too many fields; those beyond were left out',
}

/** What is said of a file without a row below its headings: its sender may have picked another file than they meant. */
export const nobodyIn = (file: { total: number; headings: number | null }): ImportError[] =>
  file.total > 0
    ? []
    : [{ row: file.headings ?? 1, column: null, code: 'no_rows', message: messages.no_rows }]

const longestOf = (field: ImportField) =>
  nameOfOwn(field) !== undefined
    ? longestFieldValue
    : field === 'externalId'
      ? longestId
      : longestField

const isKind = (field: ImportField): field is AddressKind =>
  field === 'email' || field === 'phone' || field === 'linkedin'

/** `beside` is the name that stands before an address in its cell. */
function fieldsOf(
  texts: Partial<Record<ImportField, string>>,
  beside: string,
): Partial<PersonFields> {
  const joined = [texts.firstName, texts.lastName].filter((part) => part).join(' ')
  const name = cut(texts.name ?? (joined || beside), longestField)
  return {
    ...(name && { name }),
    ...(texts.city && { city: texts.city }),
    ...(texts.jobTitle && { jobTitle: texts.jobTitle }),
    ...(texts.company && { company: texts.company }),
  }
}

const mostOfAKind = 20

/** The addresses that a cell holds, as Google (" ::: "), HubSpot (";"), Pipedrive (", ") and people ("a@x.test / b@x.test") write several. */
export function partsOf(kind: AddressKind, cell: string): string[] {
  if (kind === 'linkedin') return linksIn(cell)
  if (kind === 'phone' && numeralOf(cell) !== undefined) return [cell]
  return cell
    .split(/:::|[;|\r\n]/, mostOfAKind)
    .flatMap((part) => withNames(kind, part.split(',', mostOfAKind)))
    .flatMap((part) => (kind === 'email' ? emailsIn(part) : numbersIn(part)))
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .slice(0, mostOfAKind)
}

/** A name before an address may hold a comma: "Roth, Nadia" <nadia@roth.example>. */
function withNames(kind: AddressKind, parts: string[]): string[] {
  if (kind !== 'email') return parts
  const whole: string[] = []
  let name: string[] = []
  for (const part of parts)
    if (!part.includes('@')) name.push(part)
    else {
      const isNamed = /^[^<@]*</.test(part)
      whole.push(...(isNamed ? [[...name, part].join(',')] : [...name, part]))
      name = []
    }
  return [...whole, ...name]
}

/** Several addresses with nothing but blanks, words or strokes between them; one with a name beside it stays as it is. */
function emailsIn(part: string): string[] {
  const inBrackets = (part.match(/<[^<>]*>/g) ?? []).filter((one) => one.includes('@'))
  if (inBrackets.length > 1) return inBrackets
  if (inBrackets.length > 0) return [part]
  const words = part.split(/[\s/&()[\]]+/).filter((word) => word.includes('@'))
  return words.length > 1 ? words : [part]
}

/** A stroke is part of a German number, 030/123456; between two whole numbers it has blanks around it. */
function numbersIn(part: string): string[] {
  const numbers = part.split(/\s[/&]\s|\s(?:or|oder|ou|und|and|et|y|e)\s/i)
  const isWhole = (number: string) => number.replace(/\D/g, '').length >= 6
  return numbers.every(isWhole) ? numbers : [part]
}

/** Links have no blanks; a name of a profile may. */
function linksIn(cell: string): string[] {
  const lines = cell.split(/:::|[\r\n]/, mostOfAKind)
  return lines
    .flatMap((line) => (line.split('://').length > 2 ? line.split(/[\s,;|]+/) : [line]))
    .filter((part) => part.trim() !== '')
    .slice(0, mostOfAKind)
}
