import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { pointerOf } from '../../rules/json-pointer.ts'
import { plainIssueOfCall, unknownMembers } from '../../rules/plain-issues.ts'
import { isKeepable } from '../../rules/text.ts'
import { ApiError, type Problem } from './errors.ts'

/** @throws ApiError unsupported_media_type when a body is not sent as JSON, or is compressed. */
export function requireJson(
  { 'content-type': contentType, 'content-encoding': encoding }: IncomingHttpHeaders,
  length: number | undefined,
) {
  if (length === 0) return
  if (encoding && encoding.trim().toLowerCase() !== 'identity')
    throw new ApiError('unsupported_media_type', 'Send the body as it is, without an encoding.', {
      headers: { 'Accept-Encoding': 'identity' },
    })
  if (contentType && /^application\/(?:[\w.+-]+\+)?json\s*(?:;.*)?$/i.test(contentType)) return
  throw notJson()
}

export const notJson = () =>
  new ApiError('unsupported_media_type', 'Send the body as application/json.', {
    headers: { Accept: 'application/json' },
  })

/**
 * SHA-256 of method, concrete path, sorted query and canonical JSON body: two calls with the same hash are the same
 * request.
 */
export function fingerprintOf(method: string, path: string, query: URLSearchParams, body: unknown) {
  const sorted = [...query].map(([name, value]) => `${name}=${value}`).sort()
  const hash = createHash('sha256')
  // Hashed in pieces: a file of megabytes is neither copied nor joined with the text around it.
  let pieces = ''
  const add = (piece: string) => {
    if (pieces.length + piece.length > longPiece) {
      hash.update(pieces)
      pieces = ''
    }
    if (piece.length > longPiece) hash.update(piece)
    else pieces += piece
  }
  add([method, path, sorted.join('&'), ''].join('\n'))
  addCanonical(body, add)
  return hash.update(pieces).digest('hex')
}

const longPiece = 64 * 1024
/** A text in which JSON needs to escape nothing. */
const isPlain = (text: string) => /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(text)

function addCanonical(value: unknown, add: (piece: string) => void) {
  if (Array.isArray(value)) {
    add('[')
    for (const [i, inner] of value.entries()) {
      if (i > 0) add(',')
      addCanonical(inner, add)
    }
    add(']')
  } else if (value !== null && typeof value === 'object') {
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    add('{')
    for (const [i, [name, inner]] of members.entries()) {
      add(`${i > 0 ? ',' : ''}${JSON.stringify(name)}:`)
      addCanonical(inner, add)
    }
    add('}')
  } else if (typeof value === 'string' && value.length > longPiece && isPlain(value)) {
    add('"')
    add(value)
    add('"')
  } else add(JSON.stringify(value))
}

type RequestPart = 'body' | 'query'

// Every issue is listed, up to a limit: the answer must not be many times as long as the body it refuses.
const mostProblems = 1000

/**
 * Parses by a route's shape and lists every issue.
 * @throws ApiError validation_failed (body, JSON pointers) or invalid_query.
 */
export function parseWith<S extends z.ZodType>(
  shape: S,
  value: unknown,
  place: RequestPart,
): z.output<S> {
  const parsed = shape.safeParse(value, { error: plainIssueOfCall })
  const bad = badText(value, shape)
  if (parsed.success && !bad) return parsed.data
  const { problems, more } = problemsOf(parsed.error?.issues ?? [], place)
  if (bad) problems.push(problem(bad, 'invalid_text', textRule, place))
  const [first] = problems as [Problem]
  const where = first.pointer ?? first.parameter
  const others = more > 0 ? ` (${more} more are not listed)` : ''
  throw new ApiError(
    place === 'body' ? 'validation_failed' : 'invalid_query',
    `${where ? `${where}: ` : ''}${first.message}${others}`,
    { errors: problems },
  )
}

/** What is wrong with a value that a shape within a body has refused by itself. The pointers are relative to the value. */
export const problemsWithin = (issues: z.core.$ZodIssue[], most: number): Problem[] =>
  problemsOf(issues, 'body').problems.slice(0, most)

/** The first problems, and the number of the others, for which nothing is built. */
function problemsOf(issues: z.core.$ZodIssue[], place: RequestPart) {
  const problems: Problem[] = []
  let all = 0
  for (const issue of issues.flatMap(meant)) {
    const room = mostProblems - problems.length
    if (issue.code !== 'unrecognized_keys') {
      all++
      if (room > 0) problems.push(problem(issue.path, codeOf(issue), issue.message, place))
      continue
    }
    all += issue.keys.length
    const said = unknownMembers(issue, place === 'query' ? 'parameter' : 'member')
    for (const [i, key] of issue.keys.slice(0, room).entries())
      problems.push(problem([...issue.path, key], 'unknown_member', said[i] as string, place))
  }
  return { problems, more: all - problems.length }
}

/**
 * The issues of a value that may have one of several forms: those of the form that it has but for something within it,
 * if that is certain.
 */
function meant(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const isWithin = (one: z.core.$ZodIssue) =>
    one.path.length > 0 || one.code === 'unrecognized_keys'
  const [branch, ...others] = issue.errors.filter((some) => some.every(isWithin))
  if (!branch || branch.length === 0 || others.length > 0) return [issue]
  return branch.map((one) => ({ ...one, path: [...issue.path, ...one.path] }))
}

/**
 * zod's own code, except for our own rules: if the shape reports the same problem (an empty text is too small), its
 * code, otherwise that of a wrong value.
 */
const codeOf = (issue: z.core.$ZodIssue): string =>
  issue.code === 'custom' ? String(issue.params?.['code'] ?? 'invalid_value') : issue.code

const problem = (
  path: PropertyKey[],
  code: string,
  message: string,
  place: RequestPart,
): Problem =>
  place === 'query'
    ? { parameter: String(path.findLast((name) => typeof name === 'string') ?? ''), code, message }
    : { pointer: pointerOf(path), code, message }

const textRule = 'must not contain U+0000 or half a surrogate pair'

/** The shape, for one of many that is refused by itself (with `.catch`): text that Postgres does not accept refuses it too. */
export const withTexts = <S extends z.ZodType>(shape: S) =>
  z.preprocess((value, context) => {
    const path = badText(value)
    if (path) {
      const params = { code: 'invalid_text' }
      context.addIssue({ code: 'custom', message: textRule, params, path })
    }
    return value
  }, shape)

/**
 * The place of the first text that Postgres does not accept, or of the object with such a name; what the shape catches looks
 * for itself (`withTexts`). Bodies are shallow enough for recursion (json.ts).
 */
function badText(value: unknown, shape?: z.ZodType): PropertyKey[] | undefined {
  if (shape instanceof z.ZodCatch) return undefined
  if (typeof value === 'string') return !isKeepable(value) ? [] : undefined
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return undefined
  const isList = Array.isArray(value)
  for (const key of isList ? value.keys() : Object.keys(value)) {
    if (typeof key === 'string' && !isKeepable(key)) return []
    const inside = badText((value as Record<PropertyKey, unknown>)[key], within(shape, key))
    if (inside) return [key, ...inside]
  }
  return undefined
}

/** The shape of what an object or a list of this shape has there, if it says so directly. */
function within(shape: z.ZodType | undefined, key: PropertyKey): z.ZodType | undefined {
  if (shape instanceof z.ZodArray) return shape.element as z.ZodType
  return shape instanceof z.ZodObject ? shape.shape[String(key)] : undefined
}
