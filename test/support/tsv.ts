import { readFileSync } from 'node:fs'

// Tables of what tests judge: a line a row, its cells between tabs, the first line names them. A line that begins with `# ` is a
// comment. In a cell `\n`, `\r` and `\t` stand for what ends a line or is a tab, and `\\` for a backslash.

export type Row<Name extends string> = Record<Name, string>

/** The rows of a table, which has to have the columns that are asked for. */
export function rowsIn<Name extends string>(table: URL, ...asked: Name[]): Row<Name>[] {
  const { names, rows } = tableIn(table)
  const missing = asked.filter((name) => !names.includes(name))
  if (missing.length > 0) throw new Error(`${table.pathname} has no column “${missing[0]}”.`)
  return rows as Row<Name>[]
}

export function tableIn(table: URL) {
  const lines = readFileSync(table, 'utf8').split('\n')
  const isComment = (line: string) => line === '' || line.startsWith('# ')
  const [head = [], ...body] = lines
    .filter((line) => !isComment(line))
    .map((line) => line.split('\t').map(unescaped))
  const rows = body.map((cells): Record<string, string> => {
    if (cells.length !== head.length)
      throw new Error(
        `${table.pathname}: ${cells.length} cells for ${head.length} columns: ${cells}`,
      )
    return Object.fromEntries(head.map((name, i) => [name, cells[i] as string]))
  })
  const [title = ''] = lines.filter((line) => line.startsWith('# '))
  return { title: title.slice(2), names: head, rows }
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', '\\': '\\' }
const unescaped = (cell: string) =>
  cell.replaceAll(/\\([nrt\\])/g, (_, letter: string) => escapes[letter] as string)

export const escaped = (cell: string) =>
  cell
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
