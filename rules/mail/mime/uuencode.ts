// Files that stand among the lines of a text, as programs of before MIME send them (POSIX, uuencode): `begin 644 name`, encoded lines,
// `end`. Those in base64 end with `====`.

export type UuFile = { name: string; content: Buffer }

const mostFiles = 100
const beginning = /^begin(-base64)? [0-7]{3,4} (\S[^\r\n]{0,300})$/

/** The text without these files. What only looks like one stays in it. */
export function uuFilesIn(text: string): { text: string; files: UuFile[] } {
  if (!/^begin(?:-base64)? [0-7]/m.test(text)) return { text, files: [] }
  const lines = text.split(/\r?\n/)
  const files: UuFile[] = []
  const left: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string
    const [, base64, name = ''] = (files.length < mostFiles && beginning.exec(line)) || []
    const found = name === '' ? undefined : (base64 ? endOfBase64 : endOfLines)(lines, at + 1)
    if (!found) left.push(line)
    else {
      files.push({ name: name.trim(), content: found.content })
      at = found.end
    }
  }
  return files.length === 0 ? { text, files } : { text: left.join('\n'), files }
}

type Found = { content: Buffer; end: number }

/** Undefined unless all lines up to `end` are encoded, or all there are of one that was cut. */
function endOfLines(lines: string[], from: number): Found | undefined {
  const pieces: Buffer[] = []
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] as string
    if (line.trimEnd() === 'end') return { content: Buffer.concat(pieces), end: at }
    const piece = bytesOf(line)
    if (!piece) return undefined
    pieces.push(piece)
  }
  const isWhole = lines.slice(from).every((line) => line === '' || /^M.{60}/.test(line))
  return isWhole && pieces.length > 1
    ? { content: Buffer.concat(pieces), end: lines.length - 1 }
    : undefined
}

const encoded = /^[ -`]*$/
const sixBits = (line: string, at: number) => (line.charCodeAt(at) - 32) & 63

/** The bytes of a line, whose first sign says how many they are. Blanks at its end may be lost, and a sum may stand there. */
function bytesOf(line: string): Buffer | undefined {
  const count = line === '' ? 0 : sixBits(line, 0)
  const length = Math.ceil(count / 3) * 4
  if (line.length > length + 3 || !encoded.test(line)) return undefined
  const signs = line.slice(1).padEnd(length, ' ')
  const bytes = Buffer.alloc((length / 4) * 3)
  for (let at = 0, to = 0; at < length; at += 4) {
    const [a, b, c, d] = [0, 1, 2, 3].map((n) => sixBits(signs, at + n)) as [
      number,
      number,
      number,
      number,
    ]
    bytes[to++] = (a << 2) | (b >> 4)
    bytes[to++] = (b << 4) | (c >> 2)
    bytes[to++] = (c << 6) | d
  }
  return bytes.subarray(0, count)
}

function endOfBase64(lines: string[], from: number): Found | undefined {
  const end = lines.findIndex((line, at) => at >= from && !/^[a-z\d+/]+={0,2}\s*$/i.test(line))
  if (end < 0 || !/^====\s*$/.test(lines[end] as string)) return undefined
  return { content: Buffer.from(lines.slice(from, end).join(''), 'base64'), end }
}
