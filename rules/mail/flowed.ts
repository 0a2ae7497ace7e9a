// Text in the format "flowed" (RFC 3676): a line that ends with a space goes on in the next one.

const quoting = /^>*/

/**
 * The text with its lines joined. A change of the depth of quotation ends a paragraph (4.5): a line is taken out of its quotation,
 * and then joined. So do an empty line and the mark of a signature (4.3), which programs put behind lines that end with a space.
 * `delSp`: the space that ends a line was added to it (4.2).
 */
export function unflow(text: string, delSp: boolean): string {
  const lines: string[] = []
  let before: { depth: number; words: string[] } | undefined
  const end = () => {
    if (!before) return
    const { depth, words } = before
    const line = words.join('')
    // What is no quotation does not begin like one, which the stuffed space has kept apart.
    if (depth === 0) lines.push(line.startsWith('>') ? ` ${line}` : line)
    else lines.push(`${'>'.repeat(depth)}${line === '' ? '' : ' '}${line}`)
    before = undefined
  }
  for (const written of text.split(/\r?\n/)) {
    const depth = quoting.exec(written)?.[0].length ?? 0
    // A space at the beginning is stuffed in (4.4).
    const line = written.slice(depth).replace(/^ /, '')
    const isSignature = line === '-- '
    if (before && (before.depth !== depth || isSignature || line === '')) end()
    const flows = line.endsWith(' ') && !isSignature
    before ??= { depth, words: [] }
    before.words.push(flows && delSp ? line.slice(0, -1) : line)
    if (!flows) end()
  }
  end()
  return lines.join('\n')
}
