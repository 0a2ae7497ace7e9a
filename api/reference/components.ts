import { withValues } from '../shapes/shapes.ts'
import { advice } from './error-advice.ts'
import type { Schema } from './schemas.ts'

// The parts of the reference that do not depend on the routes.

export type Header = keyof typeof headers
export type Media = { schema: Schema; example?: unknown; examples?: Record<string, unknown> }
export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string
  style: 'simple' | 'form'
  explode: boolean
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
    type: { type: 'string', description: 'A URN that ends with the `code`.' },
    title: { type: 'string', description: 'What refusals of this status have in common.' },
    status: { type: 'integer', description: 'The HTTP status of the answer.' },
    detail: { type: 'string', description: 'What is wrong with this call.' },
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
      description: 'Identifies the call in the log: include it when you ask the operator.',
    },
    retryable: {
      type: 'boolean',
      description: 'Whether the same call is worth repeating, with the same key.',
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
            description: 'The place in the body, as a JSON pointer (RFC 6901).',
          },
          parameter: { type: 'string', description: 'The parameter of the address.' },
          code: { type: 'string', description: 'What is wrong with it, as a stable code.' },
          message: { type: 'string', description: 'What is wrong with it, in words.' },
        },
      },
    },
  },
}

const text = { type: 'string' }

export const headers = {
  'X-Request-Id': { description: 'Identifies this call in the log.', schema: text },
  'Idempotent-Replayed': {
    description: '`true` when this is the answer of an earlier call with the same key.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Retry-After': {
    description: 'Seconds to wait before repeating the same call.',
    schema: { type: 'integer', minimum: 0 },
  },
  RateLimit: {
    description:
      'The calls that are left in the current window, and when it ends (IETF draft). Every call counts, including refusals and repeats.',
    schema: text,
    example: '"reads";r=5999;t=42',
  },
  'RateLimit-Policy': {
    description:
      'How many calls of this kind a token may make, and in how many seconds (IETF draft).',
    schema: text,
    example: '"reads";q=6000;w=60',
  },
  'WWW-Authenticate': {
    description: 'The challenge of RFC 6750, with the scopes that the call needs.',
    schema: text,
    example: 'Bearer error="insufficient_scope", scope="send"',
  },
  ETag: { description: 'Identifies this content, and never changes.', schema: text },
  'Accept-Ranges': { description: 'Says that ranges are supported.', schema: { const: 'bytes' } },
  'Content-Range': {
    description: 'The range of this part, and the size of the file.',
    schema: text,
  },
  'Content-Disposition': {
    description: 'The file is an attachment, with this name.',
    schema: text,
  },
  'Content-Security-Policy': {
    description:
      'The page runs no script and loads nothing, except images where they are asked for.',
    schema: text,
  },
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
    conditional('Range', 'The requested range, such as `bytes=0-1023` (RFC 9110).'),
    conditional(
      'If-None-Match',
      'The `ETag` that the client has: the answer is 304 if it is the current one.',
    ),
    conditional(
      'If-Range',
      'The `ETag` of the part that the client has: if it is not the current one, the answer is the whole file.',
    ),
  ],
  headers: ['ETag', 'Accept-Ranges', 'Content-Disposition'] satisfies Header[],
  content: {
    // Of the media type that the file's sender gave.
    'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
    '*/*': { schema: { type: 'string', format: 'binary' } },
  } satisfies Record<string, Media>,
}

/** A page as an answer. */
export const htmlPage = {
  headers: ['Content-Security-Policy'] satisfies Header[],
  content: {
    'text/html': {
      schema: { type: 'string' },
      example: '<!doctype html>\n<p>Two spare sensors for each kitchen, <b>please</b>.</p>',
    },
  } satisfies Record<string, Media>,
}
