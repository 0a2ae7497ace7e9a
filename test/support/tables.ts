// Reads the sections and tables of documents, for the tests that hold them to the code.

/** The part of a page below one of its headings, down to the next heading of that level or a higher one. */
export function sectionOf(text: string, heading: string): string {
  const lines = text.split('\n')
  const from = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading)
  if (from < 0) throw new Error(`There is no heading “${heading}”.`)
  const level = (lines[from] as string).indexOf(' ')
  const rest = lines.slice(from + 1)
  const to = rest.findIndex((line) => /^#+ /.test(line) && line.indexOf(' ') <= level)
  return rest.slice(0, to < 0 ? undefined : to).join('\n')
}

/** The cells of every row of the tables in a text, without their heads. */
export const rowsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line, i, lines) => line.startsWith('|') && !/^\|[ -]*-/.test(lines[i + 1] ?? ''))
    .filter((line) => !/^\|[\s|:-]+\|$/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )

/** What stands in backquotes in a text. */
export const codesOf = (text: string): string[] =>
  [...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code as string)

/** What stands in backquotes in the first column of the tables in a text. */
export const namesOf = (text: string): string[] =>
  rowsOf(text).flatMap(([first = '']) => codesOf(first))
