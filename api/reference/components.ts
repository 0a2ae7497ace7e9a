import type { ErrorCode } from '../http/errors.ts'
import { withValues } from '../shapes/shapes.ts'
import { inPlainWords } from './plain.ts'
import type { Components, Schema } from './schemas.ts'

// One file: what the entries of the document refer to, which is a table of words for readers.

/** For the reference: the meaning of each error code, and what to do about it. */
export const advice: Record<ErrorCode, string> = {
  malformed_request: 'The request is not valid HTTP. Check what the client actually sends.',
  malformed_json: 'The body is not JSON in UTF-8. Check what the client actually sends.',
  invalid_query:
    'A parameter of the address is unknown, given twice or not valid. `errors` names it.',
  invalid_cursor:
    'The cursor is not from an answer of this list. Start again without a cursor, and send `next` back unchanged.',
  idempotency_key_missing:
    'Every change needs the header `Idempotency-Key`. Send a new key for each call, for instance a UUID.',
  idempotency_key_invalid:
    'The key must have 1 to 255 visible ASCII characters. A UUID always fits.',
  token_missing: 'Send `Authorization: Bearer <ACCESS_TOKEN>` with every call.',
  invalid_token:
    'The token is mistyped, was revoked, or belongs to another deployment. The operator creates tokens with `npm run -s token -- create`.',
  token_expired: 'The token is no longer valid. Ask the operator for a new one.',
  insufficient_scope:
    'The token lacks a scope that the call needs; `scopes` names all the scopes it needs. Ask the operator for a token with these scopes.',
  not_found:
    'Nothing in this workspace has the id in the address. It may have been deleted, or belong to another workspace.',
  no_such_route:
    'There is no such address. Compare it with this reference; the path includes the version.',
  method_not_allowed:
    'The address does not accept this method; the header `Allow` names those it accepts.',
  request_timeout: 'The body took too long to arrive. Send the same call again with the same key.',
  changed_meanwhile:
    'The resource is not any more what its `ETag` in `If-Match` stands for. Read it, and send what is to be done now; the call may have the same key.',
  body_too_large: 'The body is larger than this call accepts. Send less in one call.',
  file_too_large: 'The file is larger than this call accepts. Split it into several files.',
  unsupported_media_type: 'Send the body as `application/json`, without compression.',
  range_not_satisfiable:
    'The range lies outside the file. `Content-Range` gives the size of the file.',
  idempotency_in_progress:
    'A call with this key is still being carried out. Send it again after `Retry-After` seconds, with the same key.',
  conflict:
    'Another resource has what this one is to have, or two would become one. `errors` names the members, and `people` the cards; change one of them first.',
  merged:
    'The card has become part of another one, which `mergedInto` names. Send the call for that one, with a new key.',
  invalid_state:
    'The resource is in a state that does not allow this. `state` names its state, `allowed` what would be allowed.',
  campaign_incomplete: 'The campaign is not ready to start. `missing` names what it needs.',
  letter_not_written:
    'A letter can be agreed only after it was written from the current brief. Write it, read it, then agree it.',
  segment_in_use:
    'A running or paused campaign uses the segment. End the campaign, or pause it and give it another segment.',
  validation_failed:
    'The body is not valid. `errors` names each wrong member by its pointer. Correct them and send the call again; it may have the same key.',
  idempotency_key_reused: 'The key was used for another call. Use a new key for each new call.',
  recipient_suppressed:
    'The address is suppressed after a complaint or a bounce, or by an operator, and must not be written to. `GET /suppressions` gives the reason.',
  contact_ambiguous:
    'Several addresses or people come into question, or the last message asks for answers at another address than its own. Each of `candidates` has the `id` of the person (null if the address is on no card), the address as `account`, and the `name`: send one `account` as `to`, or one `id` as `person`.',
  sender_ambiguous:
    'Several accounts match, or none. Each of `candidates` has `id`, `account` and `name`: send one `id` or `account` as `via`.',
  no_contact: 'The person has no address on this channel. Add one first.',
  erased:
    'The person was erased: nothing more is written to them, and they are not brought back. With 410, the answer that was stored held something of them, or something that is past the retention of its workspace, and is gone.',
  time_in_past:
    'The time has passed. Times need an offset, and a time up to a minute ago means now.',
  local_time_missing: 'The clocks skip this time of day on that day. Choose another time.',
  login_failed:
    'A mail server of the account refused the login. `errors` has its own words. Correct the password, or do what the provider asks for, and call again with another key.',
  server_unreachable:
    'A mail server of the account could not be reached on the public internet, or offers no connection that is safe. Check host and port.',
  private_address:
    'The host belongs to a private network or to the machine itself. Name one on the public internet.',
  unreadable_file:
    'The content cannot be read; `errors` says what it is, or what is wrong with it. Files of people are CSV, workbooks (.xlsx) and visiting cards (vCard).',
  secret_needed:
    'A password or secret stays only where it was given for: with another server, port, TLS or user it has to be given again. `errors` names it.',
  needs_successor:
    'Something is theirs that somebody has to take over. `errors` says what; name another member as `to`.',
  quota_exceeded:
    'The workspace has as many of something as its operator allows: `quota` says of what, `most` how many, and `used` how many it has. With 429 there may be room by itself after `Retry-After` seconds; with 422 somebody has to make room, and the call may then be sent again with the same key.',
  rate_limited:
    'The token has reached its limit of calls per minute, or too many of its calls are still open. Wait `Retry-After` seconds, then continue.',
  headers_too_large: 'The headers of the request are too large. Send fewer, or shorter ones.',
  internal:
    'Something went wrong here, and it is logged under `requestId`. Send the same call again with the same key; if it keeps failing, tell the operator.',
  provider_failed:
    'Another service that the call needs has failed. Send the same call again later, with the same key.',
  unavailable:
    'The service cannot do this at the moment. Send the same call again after `Retry-After` seconds, with the same key.',
  still_running:
    'The work continues. Send the same call again with the same key, or read `GET /operations/{key}`.',
}

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
const problem: Schema = {
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
      items: { $ref: '#/components/schemas/ProblemItem' },
    },
    state: {
      type: 'string',
      description: 'With `invalid_state`: the state that the resource is in.',
    },
    allowed: {
      type: 'array',
      description: 'With `invalid_state`: what the state would allow; empty if it allows nothing.',
      items: { type: 'string' },
    },
    missing: {
      type: 'array',
      description: 'With `campaign_incomplete`: what the campaign needs.',
      items: { $ref: '#/components/schemas/MissingPart' },
    },
    candidates: {
      type: 'array',
      description:
        'With `contact_ambiguous` and `sender_ambiguous`: who comes into question. Send one of them.',
      items: { $ref: '#/components/schemas/Candidate' },
    },
    people: {
      type: 'array',
      description: "With `conflict`: the ids of the cards that are in each other's way.",
      items: { type: 'string' },
    },
    mergedInto: {
      type: 'string',
      description: 'With `merged`: the id of the card that this one has become part of.',
    },
    connection: {
      type: 'string',
      description: 'With `conflict`: the id of the connection that has the address already.',
    },
    quota: {
      type: 'string',
      description: 'With `quota_exceeded`: what the workspace has too many of.',
    },
    most: {
      type: 'integer',
      description: 'With `quota_exceeded`: how many it may have at once.',
    },
    used: {
      type: 'integer',
      description: 'With `quota_exceeded`: how many it has.',
    },
    scopes: {
      type: 'array',
      description: 'With `insufficient_scope`: all the scopes that the call needs.',
      items: { type: 'string' },
    },
  },
}

/** One of the things that are wrong with a call. */
const problemItem: Schema = {
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
}

/** An account or an address that comes into question. */
const candidate: Schema = {
  type: 'object',
  required: ['id', 'account', 'name'],
  properties: {
    id: {
      type: ['string', 'null'],
      description: 'The id of the person or of the connection; null if the address is on no card.',
    },
    account: { type: 'string', description: 'The address.' },
    name: { type: 'string', description: 'The name; empty if it is not known.' },
  },
}

/** What refusals consist of. */
export const problemSchemas: Components = {
  Problem: problem,
  ProblemItem: problemItem,
  Candidate: candidate,
}
for (const schema of Object.values(problemSchemas)) inPlainWords(schema, true)

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
  ETag: {
    description: 'Identifies this content. Send it back in `If-None-Match` or `If-Match`.',
    schema: text,
    example: '"mYzR0ujR3Xh8Yq2vVn1cKw0bTfE"',
  },
  'Accept-Ranges': {
    description: '`bytes`: a part of it may be asked for by `Range`.',
    schema: { type: 'string', enum: ['bytes'] },
  },
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

export const ifNoneMatch = conditional(
  'If-None-Match',
  'The `ETag` that the client has: the answer is 304 if it is the current one.',
)

export const ifMatch = conditional(
  'If-Match',
  'The `ETag` of what the client has read: the call is refused with 412 if the resource has changed since.',
)

/** A file as an answer: whole, in part, or not at all. */
export const bytes = {
  parameters: [
    conditional('Range', 'The requested range, such as `bytes=0-1023` (RFC 9110).'),
    ifNoneMatch,
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

/** A stream of events as an answer. */
export const eventStream = {
  parameters: [
    {
      name: 'Last-Event-ID',
      in: 'header',
      required: false,
      style: 'simple',
      explode: false,
      description:
        'The `id` of the last event that was received; `EventSource` sends it by itself.',
      schema: { type: 'string', maxLength: 4000 },
    },
  ] satisfies Parameter[],
  content: {
    'text/event-stream': {
      schema: { type: 'string' },
      example:
        'id: q3VxT0aWWyI3NDIiLCIxMDQyIl0\nevent: message.received\ndata: {"id":"evt_1042","at":"2026-11-23T09:12:44.318Z","kind":"message.received","resource":"msg_01k5x9f8d3a7e","data":{"conversation":"cnv_markus"},"cursor":"q3VxT0aWWyI3NDIiLCIxMDQyIl0"}\n\n',
    },
  } satisfies Record<string, Media>,
}
