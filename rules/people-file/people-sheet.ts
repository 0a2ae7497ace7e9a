import { type Cell, textOf } from './cells.ts'
import { recogniseColumns } from './columns.ts'
import { kindOf } from './contacts.ts'
import { isStopField } from './stops.ts'

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
