import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { z } from 'zod'
import { ApiError, type Problem } from './errors.ts'

const mebibyte = 1024 * 1024
export const usualBodyLimit = mebibyte
// What is thrown away of a body over its limit before the connection is given up, so that most clients read the answer.
const drainLimit = 64 * mebibyte

/** The body as bytes; undefined when it is larger than `limit`, which is refused only once it is known who sends it. */
export async function readBody(
  request: IncomingMessage,
  limit: number,
): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size <= limit) chunks.push(chunk)
    else if (size > drainLimit) break
  }
  return size > limit ? undefined : Buffer.concat(chunks)
}

export const tooLarge = (code: 'body_too_large' | 'file_too_large', limit: number) =>
  new ApiError(code, `The body is larger than ${limit} bytes.`, {
    headers: { Connection: 'close' },
  })

/** @throws ApiError unsupported_media_type when a body is sent as something else than JSON. */
export function requireJson(contentType: string | undefined, bytes: Buffer | undefined) {
  if (bytes?.length === 0) return
  if (contentType && /^application\/(?:[\w.+-]+\+)?json\s*(?:;.*)?$/i.test(contentType)) return
  throw new ApiError('unsupported_media_type', 'Send the body as application/json.', {
    headers: { Accept: 'application/json' },
  })
}

// Deeper than any body that means something, and far from what recursion stands.
const deepest = 64

/** The JSON of a body; none is `{}`. Undefined when it is not JSON, or nested too deeply to be looked at. */
export function tryJson(bytes: Buffer): unknown {
  if (bytes.toString('latin1').trim() === '') return {}
  try {
    const json: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return isDeep(json) ? undefined : json
  } catch {
    return undefined
  }
}

function isDeep(json: unknown) {
  let level: unknown[] = [json]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return true
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    )
  }
  return false
}

export const malformed = () =>
  new ApiError('malformed_json', 'The body is not JSON in UTF-8, or nested too deeply.', {
    errors: [{ pointer: '', code: 'malformed_json', message: 'must be JSON' }],
  })

/** SHA-256 of method, concrete path, sorted query and canonical JSON body: what makes two calls the same request. */
export function fingerprintOf(method: string, path: string, query: URLSearchParams, body: unknown) {
  const sorted = [...query].map(([name, value]) => `${name}=${value}`).sort()
  const request = [method, path, sorted.join('&'), canonical(body)].join('\n')
  return createHash('sha256').update(request).digest('hex')
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join(',')}}`
}

type Place = 'body' | 'query'

// Every issue is listed, but an answer is not to be many times as long as the nonsense it refuses.
const mostProblems = 1000

/**
 * Parses by a route's shape, every issue listed.
 * @throws ApiError validation_failed (body, JSON pointers) or invalid_query.
 */
export function parseWith<S extends z.ZodType>(
  shape: S,
  value: unknown,
  place: Place,
): z.output<S> {
  const parsed = shape.safeParse(value)
  const problems = [
    ...(parsed.success ? [] : parsed.error.issues.flatMap((issue) => problemsOf(issue, place))),
    ...nulCharacters(value, []).map((path) =>
      problem(path, 'invalid_text', 'must not contain U+0000 or half a surrogate pair', place),
    ),
  ]
  if (parsed.success && problems.length === 0) return parsed.data
  const first = problems[0] as Problem
  const where = first.pointer ?? first.parameter
  throw new ApiError(
    place === 'body' ? 'validation_failed' : 'invalid_query',
    where ? `${where}: ${first.message}` : first.message,
    { errors: problems.slice(0, mostProblems) },
  )
}

function problemsOf(issue: z.core.$ZodIssue, place: Place): Problem[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) =>
      problem([...issue.path, key], 'unknown_member', 'is not a known member', place),
    )
  return [problem(issue.path, issue.code, issue.message, place)]
}

const problem = (path: PropertyKey[], code: string, message: string, place: Place): Problem =>
  place === 'query'
    ? { parameter: path.join('.'), code, message }
    : { pointer: pointerOf(path), code, message }

/** A JSON pointer (RFC 6901). */
const pointerOf = (path: PropertyKey[]) =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

// Postgres text holds every character but U+0000, and its jsonb no half of a surrogate pair.
function nulCharacters(value: unknown, path: PropertyKey[]): PropertyKey[][] {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? [path] : []
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(key.includes('\0') || !key.isWellFormed() ? [path] : []),
    ...nulCharacters(inner, [...path, key]),
  ])
}
