import { ApiError } from './errors.ts'

// The JSON of a body. How much of it there is is counted on the bytes: a list of millions of numbers costs a look at each, and
// nothing is built of it.

const mostValues = 50_000
const mostLevels = 64

/** The JSON of a body, none being `{}`; or why it is refused. */
export function parseJson(bytes: Buffer): { json?: unknown; refusal?: ApiError } {
  const exceeded = exceededBy(bytes)
  if (exceeded === 'blank') return { json: {} }
  if (exceeded) return { refusal: tooBig(exceeded) }
  try {
    return { json: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) }
  } catch {
    return { refusal: malformed() }
  }
}

const malformed = () =>
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

/** Which bound a text passes, if it is JSON at all: values are what stands first, after a colon or in a list. */
function exceededBy(bytes: Buffer): 'blank' | 'too_many_values' | 'too_deep' | undefined {
  const isList = new Uint8Array(mostLevels + 1)
  let depth = 0
  let values = 0
  // What comes next, unless it ends a list, is a value.
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

function endOfText(bytes: Buffer, from: number): number {
  for (let at = from; ; ) {
    at = bytes.indexOf(quote, at + 1)
    if (at < 0) return bytes.length
    let slashes = 0
    while (bytes[at - 1 - slashes] === backslash) slashes++
    if (slashes % 2 === 0) return at
  }
}
