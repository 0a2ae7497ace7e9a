import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { readAddress } from '../../rules/addresses.ts'

const columns = ['name', 'email', 'phone', 'linkedin', 'company', 'city', 'jobTitle'] as const

export type Prospect = Record<(typeof columns)[number] | 'id' | 'workspace', string>
type Problem = { line: number; message: string }

/**
 * Reads a CSV file whose first line has column names: any of name, email, phone, linkedin, company, city and
 * jobTitle. A row needs one way to reach the person; of several rows about the same person the first one counts.
 */
export function readProspects(
  path: string,
  workspace: string,
): { rows: Prospect[]; problems: Problem[] } {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    return { rows: [], problems: [{ line: 0, message: (error as Error).message }] }
  }
  try {
    return rowsOf(text, workspace)
  } catch (error) {
    const line = (error as { lines?: number }).lines ?? 1
    return { rows: [], problems: [{ line, message: (error as Error).message }] }
  }
}

type Parsed = { record: string[]; info: { lines: number } }

function rowsOf(text: string, workspace: string) {
  const [header, ...lines] = parse(text, {
    bom: true,
    trim: true,
    skip_empty_lines: true,
    info: true,
  }) as unknown as Parsed[]
  const names = header?.record ?? []
  const problems: Problem[] = names
    .filter((name) => !columns.some((column) => column === name))
    .map((name) => ({
      line: 1,
      message: `${name || 'an empty name'} is not a known column; the columns are ${columns.join(', ')}`,
    }))
  const rows = new Map<string, Prospect>()
  for (const { record, info } of lines) {
    const given = (name: string) => record[names.indexOf(name)] ?? ''
    const row = Object.fromEntries(columns.map((name) => [name, given(name)])) as Prospect
    const reached = reach(row)
    if (typeof reached !== 'string') problems.push({ line: info.lines, message: reached.message })
    else if (!rows.has(reached))
      rows.set(reached, { ...row, workspace, id: `prs_${hash(`${workspace}\n${reached}`)}` })
  }
  return { rows: [...rows.values()], problems }
}

/** The keys by which two rows are the same person, or the error in the row. */
function reach(row: Prospect): string | { message: string } {
  const given = (['email', 'phone', 'linkedin'] as const).filter((kind) => row[kind] !== '')
  const wrong = given.find((kind) => !readAddress(kind, row[kind]))
  if (wrong) return { message: `${wrong} is not valid: ${row[wrong]}` }
  const [first] = given
  if (!first) return { message: 'needs an email, a phone or a linkedin' }
  return `${first} ${readAddress(first, row[first])?.value}`
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 26)
