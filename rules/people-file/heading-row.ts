import { kindOf } from './contacts.ts'
import { headingsAt } from './grouped-headings.ts'
import { fieldOfHeading } from './headings.ts'

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
