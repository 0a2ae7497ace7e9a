import { withValues } from '../shapes/shapes.ts'
import { advice } from './error-advice.ts'
import type { Schema } from './schemas.ts'

// What stands in the reference whatever the routes are.

export type Header = keyof typeof headers
export type Media = { schema: Schema; example?: unknown; examples?: Record<string, unknown> }
export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string
  style: 'simple' | 'form'
  explode: false
  schema: Schema
  example?: unknown
}
export type Response = {
  description: string
  headers?: Schema
  content?: Record<string, Media>
}
const codes = Object.fromEntries(
  Object.entries(advice).map(([code, text]) => [code, text.replace(/\.$/, '')]),
)

/** A refusal (RFC 9457). */
export const problem: Schema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId', 'retryable'],
  properties: {
    type: { type: 'string', description: 'A URN that ends in the `code`.' },
    title: { type: 'string', description: 'What refusals of this status have in common.' },
    status: { type: 'integer', description: 'The HTTP status of the answer.' },
    detail: { type: 'string', description: 'What is wrong with this very call.' },
    instance: { type: 'string', description: 'The path that was called.' },
    code: {
      type: 'string',
      description: withValues(
        'Why the call was refused. Codes are stable, the texts are not.',
        codes,
      ),
    },
    requestId: {
      type: 'string',
      description: 'Names the call in the log: give it to the operator with a question.',
    },
    retryable: {
      type: 'boolean',
      description: 'Whether it is worth repeating the call as it is, with the same key.',
    },
    errors: {
      type: 'array',
      description: 'What is wrong, one entry for each member or parameter.',
      items: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          pointer: {
            type: 'string',
            description: 'Where in the body it is, as a JSON pointer (RFC 6901).',
          },
          parameter: { type: 'string', description: 'The parameter of the address that is meant.' },
          code: { type: 'string', description: 'What is wrong with it, as a stable code.' },
          message: { type: 'string', description: 'What is wrong with it, in words.' },
        },
      },
    },
  },
}

const text = { type: 'string' }

export const headers = {
  'X-Request-Id': { description: 'Names this call in the log.', schema: text },
  'Idempotent-Replayed': {
    description: '`true` when this is the answer of an earlier call with the same key.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Retry-After': {
    description: 'Seconds to wait before the same call is worth repeating.',
    schema: { type: 'integer', minimum: 0 },
  },
  RateLimit: {
    description:
      'What is left of the window and when it ends (IETF draft). Every call counts, refusals and repeats too.',
    schema: text,
    example: '"reads";r=5999;t=42',
  },
  'RateLimit-Policy': {
    description: 'How many calls of this kind a token may make in so many seconds (IETF draft).',
    schema: text,
    example: '"reads";q=6000;w=60',
  },
  'WWW-Authenticate': {
    description: 'The challenge of RFC 6750, with the scopes that are needed.',
    schema: text,
    example: 'Bearer error="insufficient_scope", scope="send"',
  },
  ETag: { description: 'Names this very content, for ever.', schema: text },
  'Accept-Ranges': { description: 'A part may be asked for.', schema: { const: 'bytes' } },
  'Content-Range': { description: 'Which part this is, of how much.', schema: text },
  'Content-Disposition': { description: 'An attachment, and its name.', schema: text },
}

const conditional = (name: string, description: string): Parameter => ({
  name,
  in: 'header',
  required: false,
  style: 'simple',
  explode: false,
  description,
  schema: text,
})

/** A file as an answer: whole, in part, or not at all. */
export const bytes = {
  parameters: [
    conditional('Range', 'The part that is wanted, such as `bytes=0-1023` (RFC 9110).'),
    conditional('If-None-Match', 'The `ETag` a client has: 304 when it is this one.'),
    conditional('If-Range', 'The `ETag` of the part a client has: otherwise it gets the whole.'),
  ],
  headers: ['ETag', 'Accept-Ranges', 'Content-Disposition'] satisfies Header[],
  content: {
    // Of the type that whoever sent the file said.
    'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
    '*/*': { schema: { type: 'string', format: 'binary' } },
  } satisfies Record<string, Media>,
}
