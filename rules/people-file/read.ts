import { type Cell, textOf } from './cells.ts'
import { type Column, type Correction, type Recognised, recogniseColumns } from './columns.ts'
import { type ImportError, messages, type PersonInFile, rowReader } from './rows.ts'
import { readTable } from './table.ts'
import type { Unreadable } from './unreadable.ts'

/** The people in rows `from` (exclusive) to `to`, counted without the header and blank rows. */
export type Batch = {
  from: number
  to: number
  people: PersonInFile[]
  /** The rows without a person. */
  invalid: number[]
  errors: ImportError[]
}
export type Summary = { columns: Column[]; unknown: number[]; total: number }

/** How many problems of a file are listed; the counts include all of them. */
export const mostErrors = 1000

// What one transaction writes. Invalid rows count too, but a file of nothing else is not cut into thousands of batches.
const batchPeople = 500
const batchRows = 10_000
const rowsToRecognise = 100
const beyondCode = 'too_many_columns'

/**
 * Reads a whole file and hands its rows to `take` in batches that are always cut at the same places. `region` is that of national phone numbers. With `columnsOnly`, it
 * stops after recognising the columns, and the total has no meaning.
 */
export async function readImport(
  bytes: Uint8Array,
  corrections: Correction[],
  take: (batch: Batch) => void,
  { columnsOnly = false, region }: { columnsOnly?: boolean; region?: string | undefined } = {},
): Promise<Summary | Unreadable> {
  let waiting: { cells: Cell[]; row: number }[] = []
  let recognised: Recognised | undefined
  let read: ReturnType<typeof rowReader> | undefined
  let batch: Batch = { from: 0, to: 0, people: [], invalid: [], errors: [] }
  let listed = 0

  const start = () => {
    recognised = recogniseColumns(
      waiting.map(({ cells }) => cells.map(textOf)),
      corrections,
    )
    read = rowReader(recognised.columns, region)
    const [headings] = waiting
    const rows = recognised.header ? waiting.slice(1) : waiting
    waiting = []
    for (const column of recognised.beyond)
      tell({ row: headings?.row ?? 1, column, code: beyondCode, message: messages[beyondCode] })
    if (!columnsOnly) for (const { cells, row } of rows) add(cells, row)
  }
  const tell = (error: ImportError) => {
    if (listed++ < mostErrors) batch.errors.push(error)
  }
  const add = (cells: Cell[], row: number) => {
    const { person, errors } = read!(cells, row)
    batch.to++
    if (person) batch.people.push(person)
    else batch.invalid.push(row)
    for (const error of errors) tell(error)
    if (batch.people.length >= batchPeople || batch.to - batch.from >= batchRows) flush()
  }
  const flush = () => {
    if (batch.to > batch.from) take(batch)
    batch = { from: batch.to, to: batch.to, people: [], invalid: [], errors: [] }
  }

  const unreadable = await readTable(
    bytes,
    (cells, row) => {
      if (read) return columnsOnly ? undefined : add(cells, row)
      waiting.push({ cells, row })
      if (waiting.length > rowsToRecognise) start()
      return undefined
    },
    columnsOnly ? rowsToRecognise + 1 : undefined,
  )
  if (unreadable) return unreadable
  if (!read) start()
  flush()
  const { columns, unknown } = recognised!
  return { columns, unknown, total: batch.to }
}
