import { cut } from '../../rules/text.ts'
import { ApiError } from './errors.ts'

// The JSON of a body. The number of its values is counted on the bytes: a list of millions of numbers costs one scan,
// and nothing is built from it.

const mostValues = 50_000
const mostLevels = 64

/** The JSON of a body (`{}` if there is none), or why it is refused. */
export function parseJson(bytes: Buffer): { json?: unknown; refusal?: ApiError } {
  const exceeded = exceededBy(bytes)
  if (exceeded === 'blank') return { json: {} }
  if (exceeded) return { refusal: tooBig(exceeded) }
  try {
    const json: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    const repeated = repeatedIn(bytes)
    return repeated === undefined ? { json } : { json, refusal: givenTwice(repeated) }
  } catch {
    return { refusal: malformed() }
  }
}

// Readers of JSON disagree about which of two members with the same name counts (RFC 8259, section 4).
const givenTwice = (name: string) => {
  const message = `gives the member “${cut(name, 100)}” twice`
  return new ApiError('malformed_json', `The body ${message}.`, {
    errors: [{ pointer: '', code: 'malformed_json', message }],
  })
}

export const malformed = () =>
  new ApiError('malformed_json', 'The body is not JSON in UTF-8.', {
    errors: [{ pointer: '', code: 'malformed_json', message: 'must be JSON' }],
  })

function tooBig(code: 'too_many_values' | 'too_deep') {
  const message =
    code === 'too_deep'
      ? `is nested more than ${mostLevels} levels deep`
      : `holds more than ${mostValues} values`
  return new ApiError('validation_failed', `The body ${message}.`, {
    errors: [{ pointer: '', code, message }],
  })
}

const [tab, carriageReturn, space, quote, comma, colon] = [0x09, 0x0d, 0x20, 0x22, 0x2c, 0x3a]
const [bracket, backslash, endBracket, brace, endBrace] = [0x5b, 0x5c, 0x5d, 0x7b, 0x7d]

/** The bound that a text exceeds, if it is JSON at all: a value is whatever comes first, after a colon or in a list. */
function exceededBy(bytes: Buffer): 'blank' | 'too_many_values' | 'too_deep' | undefined {
  const isList = new Uint8Array(mostLevels + 1)
  let depth = 0
  let values = 0
  // The next thing is a value unless it ends the list.
  let awaited = true
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === space || (byte >= tab && byte <= carriageReturn)) continue
    if (awaited && byte !== endBracket && ++values > mostValues) return 'too_many_values'
    awaited = false
    if (byte === quote) at = endOfText(bytes, at)
    else if (byte === bracket || byte === brace) {
      if (++depth > mostLevels) return 'too_deep'
      isList[depth] = byte === bracket ? 1 : 0
      awaited = byte === bracket
    } else if (byte === endBracket || byte === endBrace) depth = Math.max(0, depth - 1)
    else if (byte === colon) awaited = true
    else if (byte === comma) awaited = isList[depth] === 1
  }
  return values === 0 && depth === 0 && awaited ? 'blank' : undefined
}

/** The first name that an object of well-formed JSON has twice. */
function repeatedIn(bytes: Buffer): string | undefined {
  // The names so far at each level; a list has none.
  const levels: (Set<string> | undefined)[] = []
  let isName = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === brace) levels.push(new Set())
    else if (byte === bracket) levels.push(undefined)
    else if (byte === endBrace || byte === endBracket) levels.pop()
    if (byte === brace || byte === comma) isName = true
    else if (byte === bracket || byte === colon) isName = false
    if (byte !== quote) continue
    const end = endOfText(bytes, at)
    const names = isName ? levels.at(-1) : undefined
    if (names) {
      const text = bytes.toString('utf8', at, end + 1)
      const name: string = text.includes('\\') ? JSON.parse(text) : text.slice(1, -1)
      if (names.has(name)) return name
      names.add(name)
    }
    at = end
  }
  return undefined
}

function endOfText(bytes: Buffer, from: number): number {
  for (let at = from; ; ) {
    at = bytes.indexOf(quote, at + 1)
    if (at < 0) return bytes.length
    let slashes = 0
    while (bytes[at - 1 - slashes] === backslash) slashes++
    if (slashes % 2 === 0) return at
  }
}
