import { stripVTControlCharacters, styleText } from 'node:util'

// What the demo shows: lines that stay and, on a terminal, one block at the end that is redrawn. Where the output is
// not a terminal, the block becomes a plain line whenever it changes.

const out = process.stdout
const longest = 100
let block: string[] = []
let drawn = 0
let lastLine = ''
let silent = false

/** A line that stays. */
export function say(line = '') {
  if (silent) return
  clear()
  out.write(`${line}\n`)
}

export const title = (text: string) => say(`\n${styleText('bold', text)}`)
export const detail = (text: string) => say(`   ${text}`)
let linking = false
/** Links are shown only if they still work after the demo. */
export function showLinks(shown: boolean) {
  linking = shown
}
/** Where an operator finds the workflow behind the line before. */
export function link(url: string, words?: string) {
  if (!linking) return
  if (words) detail(words)
  detail(styleText('dim', url))
}

/** A quoted text, wrapped to the width. */
export function quote(text: string) {
  for (const paragraph of text.split('\n').filter(Boolean)) {
    let line = ''
    for (const word of paragraph.split(' ')) {
      if (line.length + word.length > longest - 10) {
        detail(`  | ${line.trimEnd()}`)
        line = ''
      }
      line += `${word} `
    }
    detail(`  | ${line.trimEnd()}`)
  }
}

/** Redraws the block; `plain` is its content in one line. */
export function live(lines: string[], plain: string) {
  if (silent) return
  block = lines
  if (!out.isTTY) {
    if (plain !== lastLine) detail(plain)
    lastLine = plain
    return
  }
  clear()
  const width = (out.columns || 80) - 1
  for (const line of lines) out.write(`${cut(`   ${line}`, width)}\n`)
  drawn = lines.length
}

/** Leaves the block as it is; later output goes below it. */
export function settle() {
  if (!out.isTTY) for (const line of block) detail(line)
  drawn = 0
}

/** Shows nothing from now on. */
export function hush() {
  silent = true
}

function clear() {
  if (drawn > 0) out.write(`\x1b[${drawn}A\x1b[J`)
  drawn = 0
}

// A line that wraps would take two rows, and the next drawing would begin too low.
const cut = (line: string, width: number) =>
  stripVTControlCharacters(line).length > width ? `${line.slice(0, width - 1)}…` : line

/** A bar of `width` characters. */
export function bar(done: number, total: number, width = 26): string {
  const filled = total > 0 ? Math.round((done / total) * width) : 0
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`
}
