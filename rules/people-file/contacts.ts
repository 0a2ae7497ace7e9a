import { readEmail, readPhone } from '../addresses.ts'

/** The kinds of addresses that the content of a cell can show. */
export const contactKinds = ['email', 'linkedin', 'phone'] as const
export type ContactKind = (typeof contactKinds)[number]

/** 01.02.2026, which may have a time behind it. */
const day = /^\d{1,4}([./-])\d{1,2}\1\d{1,4}(?:[ T].*)?$/

/** What kind of address a cell looks like; undefined if it is something else. */
export function kindOf(cell: string): ContactKind | undefined {
  const text = cell.trim()
  if (text === '' || text.length > 300) return undefined
  if (readEmail(text)) return 'email'
  if (/^(?:https?:\/\/)?(?:[\w-]+\.)?linkedin\.com\/(?:in|pub)\/\S+$/i.test(text)) return 'linkedin'
  if (day.test(text)) return undefined
  // A plus, a leading zero or brackets are required, because bare digits are more often some other number.
  if (/^(?:\+|\(?0|\(\d)/.test(text) && text.replace(/\D/g, '').length >= 7 && readPhone(text))
    return 'phone'
  return undefined
}

/** The kind that most of the cells look like. */
export function kindOfCells(cells: string[]): ContactKind | undefined {
  if (cells.length === 0) return undefined
  const kinds = cells.map(kindOf)
  return contactKinds.find(
    (kind) => kinds.filter((found) => found === kind).length * 10 >= cells.length * 6,
  )
}
