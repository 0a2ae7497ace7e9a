// The bytes of a part, without the encoding in which it came.

/**
 * `rest` is what stands behind the end of the encoded bytes: list servers put their footers there. `isAsSaid` is false if the bytes
 * are not in the encoding that they are said to be in.
 */
type Carried = { bytes: Buffer; rest: Buffer; isAsSaid: boolean }

const nothing = Buffer.alloc(0)

export function carriedIn(body: Buffer, encoding: string): Carried {
  if (encoding === 'base64') return inBase64(body)
  if (encoding === 'quoted-printable')
    return { bytes: inQuotedPrintable(body), rest: nothing, isAsSaid: true }
  if (isUuencode(encoding)) {
    const [file] = uuFilesIn(body.toString('latin1')).files
    return { bytes: file?.content ?? body, rest: nothing, isAsSaid: false }
  }
  const undeclared = inUndeclared(body)
  return { bytes: undeclared ?? body, rest: nothing, isAsSaid: undeclared === undefined }
}

/** An encoding of before MIME that some programs still name. */
export const isUuencode = (encoding: string) => /^(?:x-)?uu(?:e|code|encode)?$/.test(encoding)

const encodedLine = /^[a-z\d+/]*={0,3}$/i
// A line of base64 behind padding, of programs that encode each piece by itself: a word of a footer is shorter.
const goesOn = /^(?:[a-z\d+/]{4}){5,}$|^(?:[a-z\d+/]{4})*[a-z\d+/]{2,3}={1,2}$/i

/**
 * Up to the first line that is none of it. Text that says that it is in base64, and is not, stays as it is. A character that is
 * cut at the end is left out.
 */
function inBase64(body: Buffer): Carried {
  const end = endOfBase64(body)
  const encoded = body.subarray(0, end)
  const isEmpty = end < body.length && encoded.toString('latin1').trim() === ''
  return isEmpty
    ? { bytes: body, rest: nothing, isAsSaid: false }
    : { bytes: decodeBase64(encoded), rest: body.subarray(end), isAsSaid: true }
}

function endOfBase64(body: Buffer): number {
  let isPadded = false
  for (let start = 0; start < body.length; ) {
    const feed = body.indexOf(10, start)
    const next = feed < 0 ? body.length : feed + 1
    const line = body
      .subarray(start, Math.min(next, start + longestLine))
      .toString('latin1')
      .trim()
    // A whole body may be one long line.
    const isLong = next - start > longestLine
    if (line !== '' && !isLong) {
      const fits = isPadded ? goesOn.test(line) : encodedLine.test(line.replaceAll(/\s/g, ''))
      if (!fits || isWords(line)) return start
      isPadded = line.endsWith('=')
    }
    start = next
  }
  return body.length
}
const longestLine = 2_000

/** Blanks between its pieces are lost on the way or added; what stands between several is words. */
const isWords = (line: string): boolean => {
  const words = line.split(/\s+/)
  return words.length > 1 && words.every((word) => word.length < 16)
}

/** Each piece that ends with padding is one by itself. */
const decodeBase64 = (encoded: Buffer): Buffer =>
  Buffer.concat(
    encoded
      .toString('latin1')
      .replaceAll(/[^a-z\d+/=]+/gi, '')
      .split(/=+/)
      .map((piece) => Buffer.from(piece, 'base64')),
  )

/** Old servers leave out that a text is in base64: several whole lines, and nothing else. */
function inUndeclared(body: Buffer): Buffer | undefined {
  const first = body.subarray(0, 200).toString('latin1')
  if (!/^(?:[a-z\d+/]{60,76}\r?\n){2}/i.test(first)) return undefined
  const written = body.subarray(0, longestUndeclared).toString('latin1').trim()
  if (!/^[a-z\d+/\r\n]+={0,2}$/i.test(written)) return undefined
  const bytes = Buffer.from(written, 'base64')
  return /[\ufffd\0]/.test(bytes.toString('utf8')) ? undefined : bytes
}
const longestUndeclared = 400_000

/** Broken escapes stay as they are written. */
const inQuotedPrintable = (body: Buffer): Buffer =>
  Buffer.from(
    body
      .toString('latin1')
      .replaceAll(/=[ \t]{0,80}(?:\r?\n|$)/g, '')
      .replaceAll(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  )

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
    const found = name === '' ? undefined : (base64 ? endOfBase64Lines : endOfLines)(lines, at + 1)
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

function endOfBase64Lines(lines: string[], from: number): Found | undefined {
  const end = lines.findIndex((line, at) => at >= from && !/^[a-z\d+/]+={0,2}\s*$/i.test(line))
  if (end < 0 || !/^====\s*$/.test(lines[end] as string)) return undefined
  return { content: Buffer.from(lines.slice(from, end).join(''), 'base64'), end }
}
