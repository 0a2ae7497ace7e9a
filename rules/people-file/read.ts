import { type Cell, textOf } from './cells.ts'
import { type Column, type Correction, type Recognised, recogniseColumns } from './columns.ts'
import { type Batch, type ImportError, messages, rowReader } from './rows.ts'
import { type Names, noteNames, sharedIn } from './shared.ts'
import { readTable } from './table.ts'
import type { Unreadable } from './unreadable.ts'

export type Summary = {
  columns: Column[]
  /** The row of the headings; null if there is none. */
  headings: number | null
  /** The sheets of a workbook, and the one that was read. */
  sheets: string[]
  sheet: string | null
  /** The places in `corrections` that name no column, and whether `headings` or `sheet` name what the file does not have. */
  unknown: number[]
  wrong: ('headings' | 'sheet')[]
  total: number
  /** The keys of addresses that stand in rows of different names. */
  shared: string[]
  warnings: ImportError[]
}
/** What a client says about a file. */
export type Reading = {
  /** The row of the headings; 0 if there is none. */
  headings?: number | undefined
  /** The name of the sheet of a workbook. */
  sheet?: string | undefined
  /** That of national phone numbers. */
  region?: string | undefined
}

/** How many problems of a file are listed; the counts include all of them. */
export const mostErrors = 1000
/** How many addresses that were not read as they stand in the file are listed. */
const mostCleaned = 100

// What one transaction writes. Invalid rows count too, but a file of nothing else is not cut into thousands of batches.
const batchPeople = 500
const batchRows = 10_000
const rowsToRecognise = 100
const beyondCode = 'too_many_columns'

/**
 * Reads a whole file and hands its rows to `take` in batches that are always cut at the same places. With `columnsOnly`, it
 * stops after recognising the columns, and the total has no meaning.
 */
export async function readImport(
  bytes: Uint8Array,
  corrections: Correction[],
  take: (batch: Batch) => void,
  { columnsOnly = false, ...said }: Reading & { columnsOnly?: boolean } = {},
): Promise<Summary | Unreadable> {
  let waiting: { cells: Cell[]; row: number }[] = []
  let recognised: Recognised | undefined
  let headings: number | null = null
  let read: ReturnType<typeof rowReader> | undefined
  let batch = emptyFrom(0)
  let listed = 0
  let listedCleaned = 0
  const names = new Map<string, Names>()
  const warnings: ImportError[] = []
  const wrong: Summary['wrong'] = []

  const start = () => {
    const given = placeOf(said.headings, waiting)
    if (given === undefined && said.headings !== undefined) wrong.push('headings')
    recognised = recogniseColumns(
      waiting.map(({ cells }) => cells.map(textOf)),
      corrections,
      given,
    )
    read = rowReader(recognised.columns, said.region)
    const place = recognised.headings
    headings = waiting[place]?.row || null
    const rows = waiting.slice(place + 1)
    waiting = []
    for (const column of recognised.beyond)
      tell({ row: headings ?? 1, column, code: beyondCode, message: messages[beyondCode] })
    if (!columnsOnly) for (const { cells, row } of rows) add(cells, row)
  }
  const tell = (error: ImportError) => {
    if (listed++ < mostErrors) batch.errors.push(error)
  }
  const add = (cells: Cell[], row: number) => {
    const { person, stop, errors, cleaned, warning } = read!(cells, row)
    batch.to++
    if (person) {
      batch.people.push(person)
      noteNames(names, person.fields.name ?? '', person.addresses)
    } else batch.invalid.push(row)
    if (stop) batch.stops.push(stop)
    for (const error of errors) tell(error)
    if (warning && !warnings.some(({ column }) => column === warning.column)) warnings.push(warning)
    for (const cell of cleaned) if (listedCleaned++ < mostCleaned) batch.cleaned.push(cell)
    if (batch.people.length >= batchPeople || batch.to - batch.from >= batchRows) flush()
  }
  const flush = () => {
    if (batch.to > batch.from) take(batch)
    batch = emptyFrom(batch.to)
  }

  const table = await readTable(
    bytes,
    (cells, row) => {
      if (read) return columnsOnly ? undefined : add(cells, row)
      waiting.push({ cells, row })
      if (waiting.length > rowsToRecognise) start()
      return undefined
    },
    { atMost: columnsOnly ? rowsToRecognise + 1 : undefined, sheet: said.sheet },
  )
  if ('unreadable' in table) return table
  if (said.sheet !== undefined && table.sheet !== said.sheet) wrong.push('sheet')
  if (!read) start()
  flush()
  const { columns, unknown } = recognised!
  const shared = [...sharedIn(names)]
  return { columns, headings, ...table, unknown, wrong, total: batch.to, shared, warnings }
}

const emptyFrom = (row: number): Batch => ({
  ...{ from: row, to: row },
  ...{ people: [], invalid: [], stops: [], errors: [], cleaned: [] },
})

/** The place of the row that a client names, -1 for none; undefined if it is not among the first rows, or not given. */
function placeOf(headings: number | undefined, rows: { row: number }[]): number | undefined {
  if (headings === undefined || headings === 0) return headings === 0 ? -1 : undefined
  const place = rows.findIndex(({ row }) => row === headings)
  return place < 0 ? undefined : place
}
