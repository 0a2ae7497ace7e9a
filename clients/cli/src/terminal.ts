// What is written where: results to stdout, what is said about them to stderr. Colours are for terminals alone.

export type Terminal = {
  json: boolean
  /** Columns of the terminal; without one, as many as a line needs. */
  width: number
  isTerminal: boolean
  paint: (style: Style, text: string) => string
  /** A line of the result. */
  line(text?: string): void
  /** The result as JSON: one object in one line. */
  object(value: unknown): void
  /** A line beside the result. */
  say(text: string): void
  /** A line that replaces the one before, on a terminal; elsewhere a line of its own wherever it changes. */
  progress(text: string): void
  /** Takes the line of progress away. */
  settle(): void
  /** Replaces what it has drawn before, on a terminal. */
  draw(lines: string[]): void
}

const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] }
export type Style = keyof typeof codes

export const hasColours = (stream: { isTTY?: boolean }, env = process.env): boolean =>
  stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb'

export function openTerminal(json: boolean): Terminal {
  const { stdout, stderr } = process
  const coloured = hasColours(stdout)
  let last = ''
  let drawn = 0
  const terminal: Terminal = {
    json,
    get width() {
      return stdout.isTTY ? Math.max(20, stdout.columns || 80) : Number.POSITIVE_INFINITY
    },
    isTerminal: stdout.isTTY === true,
    paint(style, text) {
      const [on, off] = codes[style]
      return coloured && text ? `\u001b[${on}m${text}\u001b[${off}m` : text
    },
    line: (text = '') => void stdout.write(`${text}\n`),
    object: (value) => void stdout.write(`${jsonOf(value)}\n`),
    say(text) {
      terminal.settle()
      stderr.write(`${text}\n`)
    },
    progress(text) {
      if (text === last) return
      last = text
      if (!stderr.isTTY) stderr.write(`${text}\n`)
      else stderr.write(`\r\u001b[K${cut(text, Math.max(20, stderr.columns || 80) - 1)}`)
    },
    settle() {
      if (last && stderr.isTTY) stderr.write('\r\u001b[K')
      last = ''
    },
    draw(lines) {
      if (drawn > 0) stdout.write(`\u001b[${drawn}A\u001b[J`)
      stdout.write(`${lines.join('\n')}\n`)
      drawn = stdout.isTTY ? lines.length : 0
    },
  }
  return terminal
}

/** C1 control characters mean something to terminals, and JSON leaves them as they are. */
export const jsonOf = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Words of strangers in one line: what would move the cursor, or turn the line around, is left out. */
export const plain = (text: string | null | undefined): string =>
  (text ?? '')
    .replace(/\s+/g, ' ')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it takes out.
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()

const wide =
  /\p{Extended_Pictographic}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u

/** How many columns it takes. */
export const widthOf = (text: string): number =>
  [...text].reduce((sum, one) => sum + (/\p{Mark}/u.test(one) ? 0 : wide.test(one) ? 2 : 1), 0)

/** At most so many columns of it. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  for (const one of text) {
    if (widthOf(kept + one) > width - 1) break
    kept += one
  }
  return `${kept.trimEnd()}…`
}

/** Lines of at most so many columns, broken between words; further lines begin with the indent. */
export function wrap(text: string, width: number, indent = ''): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line.trim() && widthOf(`${line} ${word}`) > width) {
      lines.push(line)
      line = `${indent}${word}`
    } else line = line ? `${line} ${word}` : word
  }
  return [...lines, line]
}

export type Column = {
  head: string
  style?: Style /** Is cut first where the room is short. */
  flexible?: boolean
}

/** Rows below their heads; on a narrow terminal each row as a block of lines. */
export function table(columns: Column[], rows: string[][], { width, paint }: Terminal): string[] {
  const cells = rows.map((row) => row.map(plain))
  const needs = columns.map(({ head }, i) =>
    Math.max(widthOf(head), ...cells.map((row) => widthOf(row[i] ?? ''))),
  )
  const gaps = 2 * (columns.length - 1)
  const flexible = columns.map((column, i) => (column.flexible ? i : -1)).filter((i) => i >= 0)
  const smallest = (i: number) => Math.min(needs[i] ?? 0, 12)
  let over = needs.reduce((sum, need) => sum + need, gaps) - width
  while (over > 0) {
    const i = flexible
      .filter((i) => (needs[i] ?? 0) > smallest(i))
      .sort((a, b) => (needs[b] ?? 0) - (needs[a] ?? 0))[0]
    if (i === undefined) return blocks(columns, cells, width, paint)
    needs[i] = (needs[i] ?? 0) - 1
    over--
  }
  const padded = (row: string[], style?: (i: number) => Style | undefined) =>
    row
      .map((cell, i) => {
        const shown = cut(cell, needs[i] ?? 0)
        const space = i === row.length - 1 ? '' : ' '.repeat((needs[i] ?? 0) - widthOf(shown))
        const as = style?.(i)
        return (as ? paint(as, shown) : shown) + space
      })
      .join('  ')
      .trimEnd()
  return [
    padded(
      columns.map(({ head }) => head),
      () => 'dim',
    ),
    ...cells.map((row) => padded(row, (i) => columns[i]?.style)),
  ]
}

function blocks(columns: Column[], rows: string[][], width: number, paint: Terminal['paint']) {
  return rows.flatMap((row, n) => [
    ...(n > 0 ? [''] : []),
    ...row.flatMap((cell, i) => {
      const head = columns[i]?.head ?? ''
      return [`${paint('dim', head)} ${cut(cell, Math.max(8, width - head.length - 1))}`]
    }),
  ])
}

/** Names and what they are, one a line. */
export const facts = (rows: [name: string, value: string][], terminal: Terminal): string[] => {
  const longest = Math.max(...rows.map(([name]) => name.length))
  return rows.flatMap(([name, value]) => {
    const lines = wrap(plain(value), Math.max(20, terminal.width - longest - 2))
    return lines.map((line, i) =>
      i === 0
        ? `${terminal.paint('dim', name.padEnd(longest))}  ${line}`
        : `${' '.repeat(longest)}  ${line}`,
    )
  })
}
