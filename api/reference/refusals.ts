import { ApiError, type ErrorCode, type Problem, problemOf } from '../http/errors.ts'
import { prefix } from '../http/prefix.ts'
import type { Route } from '../route.ts'
import type { Header, Response } from './components.ts'

// The refusals of a call: those that every route shares, those that follow from its method and path, and its own.

type Responses = Record<string, Response>

/** Refusals of a route by status, as references into `kept`, which holds refusals shared by several routes once. */
export function refusalsOf(route: Route, paged: boolean, kept: Responses) {
  const byStatus = Map.groupBy(codesOf(route, paged), (code) => new ApiError(code, '').status)
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const response = refusal(status, codes)
      const named = `Refused${status}`
      // Refused400, and for routes with more reasons Refused400B and so on.
      for (let i = 0; ; i++) {
        const name = i === 0 ? named : `${named}${String.fromCharCode(65 + i)}`
        kept[name] ??= response
        if (kept[name].description === response.description)
          return [String(status), { $ref: `#/components/responses/${name}` }]
      }
    }),
  )
}

const keyCodes: ErrorCode[] = [
  ...(['malformed_json', 'idempotency_key_missing', 'idempotency_key_invalid'] as const),
  ...(['body_too_large', 'request_timeout', 'unsupported_media_type'] as const),
  ...(['idempotency_in_progress', 'idempotency_key_reused'] as const),
]

function codesOf(route: Route, paged: boolean): ErrorCode[] {
  const changes = route.method !== 'GET'
  const codes: (ErrorCode | false)[] = [
    'invalid_query',
    paged && 'invalid_cursor',
    ...(changes ? keyCodes : []),
    ...(['token_missing', 'invalid_token', 'token_expired'] as const),
    (route.scopes.length > 0 || route.scopesFor !== undefined) && 'insufficient_scope',
    route.path.includes('{') && 'not_found',
    changes && 'validation_failed',
    ...(route.errors ?? []),
    ...(['rate_limited', 'internal', 'unavailable'] as const),
  ]
  return [...new Set(codes.filter((code) => code !== false))]
}

const refusal = (status: number, codes: ErrorCode[]): Response => ({
  description: codes.map((code) => `\`${code}\``).join(', '),
  headers: Object.fromEntries(
    headersOf(status).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  ),
  content: {
    'application/problem+json': {
      schema: { $ref: '#/components/schemas/Problem' },
      examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
    },
  },
})

// 404, 409 and 422 that come from carrying out a call are stored, and repeats get the same answer.
const replayed = new Set([404, 409, 422])
const retried = new Set([409, 429, 503, 504])

const headersOf = (status: number): Header[] => [
  'X-Request-Id',
  ...(status === 401 || status === 403 ? (['WWW-Authenticate'] as const) : []),
  ...(retried.has(status) ? (['Retry-After'] as const) : []),
  ...(replayed.has(status) ? (['Idempotent-Replayed'] as const) : []),
  ...(status === 416 ? (['Content-Range'] as const) : []),
  ...(status === 401 ? [] : (['RateLimit', 'RateLimit-Policy'] as const)),
]

type Said = [detail: string, errors?: Problem[], members?: Record<string, unknown>]

const sayings: Partial<Record<ErrorCode, Said>> = {
  malformed_json: ['The body is not JSON in UTF-8.'],
  invalid_query: [
    'limit: must be a whole number from 1 to 200',
    [
      {
        parameter: 'limit',
        code: 'invalid_value',
        message: 'must be a whole number from 1 to 200',
      },
    ],
  ],
  invalid_cursor: ['The cursor is not from an answer of this list.'],
  idempotency_key_missing: ['Send an Idempotency-Key, for instance a UUID.'],
  idempotency_key_invalid: ['An Idempotency-Key is 1 to 255 visible ASCII characters.'],
  token_missing: ['Send Authorization: Bearer <ACCESS_TOKEN>.'],
  invalid_token: ['The token is not valid.'],
  token_expired: ['The token has expired.'],
  insufficient_scope: ['This call needs the scope send.', undefined, { scopes: ['send'] }],
  not_found: ['There is no such person.'],
  validation_failed: [
    '/name: is not a known member',
    [{ pointer: '/name', code: 'unknown_member', message: 'is not a known member' }],
  ],
  idempotency_in_progress: ['A call with this key is being carried out.'],
  idempotency_key_reused: ['This Idempotency-Key was used for another request.'],
  invalid_state: [
    'A campaign that is done cannot change its state.',
    undefined,
    { state: 'done', allowed: [] },
  ],
  unsupported_media_type: ['Send the body as application/json.'],
  body_too_large: ['The body is larger than 1048576 bytes.'],
  request_timeout: ['The body took more than 30 s.'],
  rate_limited: ['More than 6000 reads in this minute.'],
  internal: ['Something went wrong here; it is logged under the request id.'],
  unavailable: ['Not available at the moment: repeat with the same key.'],
  still_running: [`Repeat with the same key, or read ${prefix}/operations/{key}.`],
}

function exampleOf(code: ErrorCode) {
  const [detail, errors, members] = sayings[code] ?? [`${code.replaceAll('_', ' ')}.`]
  const error = new ApiError(code, detail, {
    ...(errors && { errors }),
    ...(members && { members }),
  })
  return problemOf(error, `${prefix}/…`, '7d0c5e0e-5a4f-4a43-9a53-1f1e1d2a9f10')
}
