import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../../db/database.ts'
import { lookUpKnown } from '../../../db/people/imports.ts'
import type { SecretKey } from '../../../db/secrets.ts'
import { type FileRead, readAside } from '../../../process/children/people-file.ts'
import {
  countBatch,
  countStops,
  errorsOf,
  type ImportMode,
  noRows,
  noStops,
  nothingKnown,
  type Resolved,
  resolveBatch,
  type Stop,
  stopsOf,
} from '../../../rules/people/import-batch.ts'
import type { Correction } from '../../../rules/people-file/columns.ts'
import { mostErrors, type Reading } from '../../../rules/people-file/read.ts'
import {
  type Batch,
  type CleanedCell,
  type ImportError,
  nobodyIn,
} from '../../../rules/people-file/rows.ts'
import { ApiError, type Problem } from '../../http/errors.ts'

// What an import would do. The code that writes the rows also matches and counts them here, without writing.

const sampleRows = 5
// Other calls are answered on the same event loop: after using it for one part, the plan gives way to them.
const partPeople = 50
const longestRestMs = 10

// A card that the import would create has no id yet. No id contains a blank.
const madeBy = 'row'
const knownCard = (card: string | undefined) =>
  card === undefined || card.startsWith(`${madeBy} `) ? null : card

/** @throws ApiError unreadable_file; validation_failed for a column, a sheet or a row of headings that the file does not have. */
export async function planImport(
  db: Db,
  of: { workspace: string; secretKey: SecretKey | undefined },
  content: Buffer,
  columns: Correction[],
  { mode, ...reading }: Reading & { mode: ImportMode },
) {
  const file = await readFile(content, columns, of.workspace, reading)
  const known = nothingKnown()
  let rows = { ...noRows(), total: file.total }
  const errors: ImportError[] = []
  const cleaned: CleanedCell[] = []
  const sample: ReturnType<typeof shown>[] = []
  const duplicates: { row: number; joined: number; person: string | null }[] = []
  const suppressed: Suppressed[] = []
  let suppressions = noStops()
  let made = 0
  for (const batch of inParts(file)) {
    const from = performance.now()
    await lookUpKnown(db, of, batch, known)
    const effects = resolveBatch(batch, known, mode, () => `${madeBy} ${++made}`)
    rows = countBatch(rows, batch, effects)
    if (errors.length < mostErrors)
      errors.push(...errorsOf(batch, effects).slice(0, mostErrors - errors.length))
    cleaned.push(...batch.cleaned)
    for (const resolved of effects.outcomes.slice(0, sampleRows - sample.length))
      sample.push(shown(resolved))
    for (const { person, joined, card } of effects.outcomes)
      if (joined !== undefined && duplicates.length < mostErrors)
        duplicates.push({ row: person.row, joined, person: knownCard(card) })
    const stops = stopsOf(batch, effects)
    suppressions = countStops(suppressions, stops)
    for (const { row, reason, column, emails, person } of stops) {
      const [address = null] = emails
      if (suppressed.length < mostErrors)
        suppressed.push({ row, reason, column, address, person: knownCard(person) })
    }
    await sleep(Math.min(performance.now() - from, longestRestMs))
  }
  errors.push(...nobodyIn(file))
  errors.sort((a, b) => a.row - b.row)
  const { headings, sheet, sheets, warnings } = file
  return {
    columns: file.columns,
    headings,
    sheet,
    sheets,
    rows,
    errors,
    warnings,
    cleaned,
    duplicates,
    suppressions,
    suppressed,
    sample,
  }
}

type Suppressed = Pick<Stop, 'row' | 'reason' | 'column'> & {
  address: string | null
  person: string | null
}

/** The batches of a file, split into parts so short that matching one blocks the event loop for a few milliseconds only. */
function* inParts({ batches }: FileRead): Generator<Batch> {
  for (const batch of batches()) {
    const { people, stops, ...rest } = batch
    const ofRow = new Map(stops.map((stop) => [stop.row, stop]))
    const parts = [people.slice(0, partPeople)]
    for (let at = partPeople; at < people.length; at += partPeople)
      parts.push(people.slice(at, at + partPeople))
    const theirs = parts.map((part) =>
      part.flatMap(({ row }) => {
        const stop = ofRow.get(row)
        ofRow.delete(row)
        return stop ?? []
      }),
    )
    // Stops of rows without a person come with the first part, as everything else does.
    theirs[0]?.push(...ofRow.values())
    for (const [i, part] of parts.entries())
      yield {
        ...(i === 0 ? rest : { ...rest, invalid: [], errors: [], cleaned: [] }),
        people: part,
        stops: theirs[i] ?? [],
      }
  }
}

/**
 * Refuses corrections of columns that the file does not have, before the import is accepted. A file that cannot be
 * read passes: its import is accepted and then fails.
 */
export async function checkColumns(content: Buffer, columns: Correction[], reading: Reading) {
  const file = await readAside(content, columns, { columnsOnly: true, ...reading })
  if (!('unreadable' in file)) refuseUnknown(file)
}

async function readFile(
  content: Buffer,
  columns: Correction[],
  workspace: string,
  reading: Reading,
): Promise<FileRead> {
  const file = await readAside(content, columns, { workspace, ...reading })
  if (!('unreadable' in file)) {
    refuseUnknown(file)
    return file
  }
  const problem = { pointer: '/file/content', code: 'unreadable_file', message: file.unreadable }
  throw new ApiError('unreadable_file', `The file cannot be read. ${file.unreadable}`, {
    errors: [problem],
  })
}

function refuseUnknown({ unknown, wrong, sheets }: FileRead) {
  const places = {
    headings: `is not one of the first rows that hold anything`,
    sheet: sheets.length > 0 ? `is not one of its sheets: ${sheets.join(', ')}` : 'is not in it',
  }
  // Columns of another sheet, or below other headings, are not those that the client means.
  const errors: Problem[] =
    wrong.length > 0
      ? wrong.map((member) => {
          const message = places[member]
          return { pointer: `/${member}`, code: `unknown_${member}`, message }
        })
      : unknown.map((place) => ({
          pointer: `/columns/${place}/name`,
          code: 'unknown_column',
          message: 'is not a column of the file',
        }))
  const [first] = errors
  if (first)
    throw new ApiError('validation_failed', `${first.pointer}: ${first.message}`, { errors })
}

function shown({ person, outcome, card, joined }: Resolved) {
  const { row, fields, addresses, externalId = null, own = {} } = person
  const of = (kind: string) => addresses.find((address) => address.kind === kind)?.given ?? ''
  const { name = '', company = '', city = '', jobTitle = '' } = fields
  return {
    row,
    outcome,
    person: knownCard(card),
    joined: joined ?? null,
    name,
    email: of('email'),
    phone: of('phone'),
    linkedin: of('linkedin'),
    company,
    city,
    jobTitle,
    externalId,
    fields: own,
  }
}
