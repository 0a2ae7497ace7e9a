import type { Schema } from './openapi.ts'

// What stands in the reference whatever the routes are.

/** What a reader must know before any single call. */
export const introduction = [
  'Every call carries `Authorization: Bearer <ACCESS_TOKEN>`.',
  'Every call that changes something carries an `Idempotency-Key`: a repeat with the same key answers what the first call',
  'answered and does nothing a second time. After a lost connection or a 5xx it is always safe to repeat the same call with',
  'the same key, and `GET /api/v1/operations/{key}` says what became of it.',
  'Lists answer `next`, which goes unchanged into the `cursor` of the next call until it is null.',
  'In a body, null for an optional member is the same as leaving it out, unless null stands among its types here.',
  'Refusals are problem documents (RFC 9457) with a stable `code`.',
  'Members and values may be added with time; clients pass over what they do not know.',
].join(' ')

/** A refusal (RFC 9457). */
export const problem: Schema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId', 'retryable'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string' },
    code: { type: 'string', description: 'Stable, unlike the texts.' },
    requestId: { type: 'string' },
    retryable: { type: 'boolean', description: 'Worth repeating as it is, with the same key.' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          pointer: { type: 'string', description: 'A JSON pointer into the body.' },
          parameter: { type: 'string' },
          code: { type: 'string' },
          message: { type: 'string' },
        },
      },
    },
  },
}

export const headers = {
  'X-Request-Id': { description: 'Names this call in the log.', schema: { type: 'string' } },
  'Idempotent-Replayed': {
    description: 'true when this is the answer of an earlier call with the same key.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } },
}
