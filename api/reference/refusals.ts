import { type QuotaUse, quotaSentence } from '../../rules/quotas.ts'
import { notJson } from '../http/body.ts'
import { changedMeanwhile } from '../http/conditional.ts'
import {
  ApiError,
  type ErrorCode,
  internal,
  missing,
  type Problem,
  problemOf,
  unavailable,
} from '../http/errors.ts'
import { inProgress } from '../http/flights.ts'
import { tooLarge } from '../http/intake.ts'
import { malformed } from '../http/json.ts'
import { tookTooLong } from '../http/pieces.ts'
import { prefix } from '../http/prefix.ts'
import { tooMany } from '../http/rate.ts'
import { scopeLacking, tokenMissing, tokenRefused } from '../http/who.ts'
import { keyRefused, stillRunning } from '../once.ts'
import { isConditional, type Route } from '../route.ts'
import { alienCursor } from '../shapes/shapes.ts'
import type { Header, Response } from './components.ts'

// The refusals of a call: those that every route shares, those that follow from its method and path, and its own.

type Responses = Record<string, Response>

/** Refusals of a route by status, as references into `kept`, which holds refusals shared by several routes once. */
export function refusalsOf(route: Route, paged: boolean, kept: Responses) {
  const byStatus = Map.groupBy(codesOf(route, paged), (code) => new ApiError(code, '').status)
  // Of some quotas there is room again by itself.
  if (route.errors?.includes('quota_exceeded')) byStatus.get(429)?.push('quota_exceeded')
  // The answer that is kept for repeats may have held something of somebody who was erased.
  if (route.method !== 'GET') byStatus.set(410, ['erased'])
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
  'malformed_json',
  'idempotency_key_missing',
  'idempotency_key_invalid',
  'body_too_large',
  'request_timeout',
  'unsupported_media_type',
  'idempotency_in_progress',
  'idempotency_key_reused',
]

function codesOf(route: Route, paged: boolean): ErrorCode[] {
  const changes = route.method !== 'GET'
  const codes: (ErrorCode | false)[] = [
    'invalid_query',
    paged && 'invalid_cursor',
    ...(changes ? keyCodes : []),
    'token_missing',
    'invalid_token',
    'token_expired',
    (route.scopes.length > 0 || route.scopesFor !== undefined) && 'insufficient_scope',
    route.path.includes('{') && 'not_found',
    isConditional(route) && 'changed_meanwhile',
    changes && 'validation_failed',
    ...(route.errors ?? []),
    'rate_limited',
    'internal',
    'unavailable',
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
      examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code, status) }])),
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

const needsSend = scopeLacking(['send'])

const unknownName = 'is not a known member; known are timezone and tagging'
const several = {
  contact: 'The message asks for answers at another address than its own.',
  sender: 'Several of our accounts match.',
}

const usedUp: QuotaUse = { quota: 'queuedMessages', most: 1_000, used: 1_000 }

// The sentences of the refusals themselves; a few depend on the call, and stand here as samples.
const sayings: Partial<Record<ErrorCode, Said>> = {
  malformed_json: [malformed().message],
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
  invalid_cursor: [alienCursor().message],
  idempotency_key_missing: [keyRefused('idempotency_key_missing').message],
  idempotency_key_invalid: [keyRefused('idempotency_key_invalid').message],
  token_missing: [tokenMissing().message],
  invalid_token: [tokenRefused('invalid_token').message],
  token_expired: [tokenRefused('token_expired').message],
  insufficient_scope: [needsSend.message, undefined, needsSend.members],
  not_found: [missing('person').message],
  validation_failed: [
    `/name: ${unknownName}`,
    [{ pointer: '/name', code: 'unknown_member', message: unknownName }],
  ],
  contact_ambiguous: [
    several.contact,
    [{ pointer: '/to', code: 'contact_ambiguous', message: several.contact }],
    {
      candidates: [
        { id: 'per_01m5q8y2k7cv3', account: 'kim@client.example', name: 'Kim Berg' },
        { id: null, account: 'office@client.example', name: '' },
      ],
    },
  ],
  sender_ambiguous: [
    several.sender,
    [{ pointer: '/via', code: 'sender_ambiguous', message: several.sender }],
    {
      candidates: [
        { id: 'con_01m5q8y2k7cv3', account: 'ana@us.example', name: 'Ana Ruiz' },
        { id: 'con_01m5q8y2k7cv4', account: 'tom@us.example', name: 'Tom Lee' },
      ],
    },
  ],
  idempotency_in_progress: [inProgress().message],
  idempotency_key_reused: [keyRefused('idempotency_key_reused').message],
  invalid_state: [
    'A campaign that is done cannot change its state.',
    undefined,
    { state: 'done', allowed: [] },
  ],
  changed_meanwhile: [changedMeanwhile().message],
  unsupported_media_type: [notJson().message],
  body_too_large: [tooLarge('body_too_large', 1_048_576).message],
  request_timeout: [tookTooLong(30_000).message],
  quota_exceeded: [quotaSentence(usedUp), undefined, usedUp],
  rate_limited: [tooMany(6000, 'reads', {}).message],
  internal: [internal().message],
  unavailable: [unavailable().message],
  still_running: [stillRunning(`${prefix}/operations/{key}`).message],
}

function exampleOf(code: ErrorCode, status: number) {
  const [detail, errors, members] = sayings[code] ?? [`${code.replaceAll('_', ' ')}.`]
  const error = new ApiError(code, detail, {
    status,
    ...(errors && { errors }),
    ...(members && { members }),
  })
  return problemOf(error, `${prefix}/…`, '7d0c5e0e-5a4f-4a43-9a53-1f1e1d2a9f10')
}
