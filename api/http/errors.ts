// Every refusal is one ApiError with a stable code; the table says its status. Rendered once, in app.ts, as RFC 9457.

const statusOf = {
  malformed_request: 400,
  malformed_json: 400,
  invalid_query: 400,
  invalid_cursor: 400,
  idempotency_key_missing: 400,
  idempotency_key_invalid: 400,
  token_missing: 401,
  invalid_token: 401,
  token_expired: 401,
  insufficient_scope: 403,
  not_found: 404,
  no_such_route: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  body_too_large: 413,
  file_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  idempotency_in_progress: 409,
  invalid_state: 409,
  campaign_incomplete: 409,
  letter_not_written: 409,
  segment_in_use: 409,
  validation_failed: 422,
  idempotency_key_reused: 422,
  recipient_suppressed: 422,
  contact_ambiguous: 422,
  sender_ambiguous: 422,
  no_contact: 422,
  time_in_past: 422,
  local_time_missing: 422,
  unreadable_file: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal: 500,
  provider_failed: 502,
  unavailable: 503,
  still_running: 504,
} as const

export type ErrorCode = keyof typeof statusOf
export const errorCodes = Object.keys(statusOf) as ErrorCode[]

/** One wrong member: where it is (JSON pointer into the body, or a query or path parameter) and what is wrong with it. */
export type Problem = { pointer?: string; parameter?: string; code: string; message: string }

export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly errors: Problem[] | undefined
  readonly members: Record<string, unknown>
  readonly headers: Record<string, string>

  /** `members` are further members of the problem document, e.g. `state` and `allowed`. */
  constructor(
    code: ErrorCode,
    message: string,
    details: {
      errors?: Problem[]
      members?: Record<string, unknown>
      headers?: Record<string, string>
    } = {},
  ) {
    super(message)
    this.code = code
    this.status = statusOf[code]
    this.errors = details.errors
    this.members = details.members ?? {}
    this.headers = details.headers ?? {}
  }
}

const titles: Record<number, string> = {
  400: 'Bad request',
  401: 'Not authenticated',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Too slow',
  409: 'Conflict',
  413: 'Too large',
  415: 'Unsupported media type',
  416: 'No such range',
  422: 'Not acceptable as sent',
  429: 'Too many requests',
  431: 'Headers too large',
  500: 'Internal error',
  502: 'A provider failed',
  503: 'Unavailable',
  504: 'Still running',
}

/** Worth repeating as it is: after a while, with the same key. */
const retryable = new Set<ErrorCode>([
  'idempotency_in_progress',
  'rate_limited',
  'internal',
  'provider_failed',
  'unavailable',
  'still_running',
])

/** The body of a refusal: RFC 9457 with the stable `code`, `requestId` and `retryable`. */
export function problemOf(error: ApiError, instance: string, requestId: string) {
  return {
    type: `urn:postroom:problem:${error.code}`,
    title: titles[error.status] ?? 'Error',
    status: error.status,
    detail: error.message,
    instance,
    code: error.code,
    requestId,
    retryable: retryable.has(error.code),
    ...error.members,
    ...(error.errors && { errors: error.errors }),
  }
}

/** The row, or 404: another workspace's id answers the same as one that never was. */
export function found<T>(row: T | undefined | null, what: string): T {
  if (row === undefined || row === null)
    throw new ApiError('not_found', `There is no such ${what}.`)
  return row
}

/** A 422 for one member of the body, e.g. an id that is not known: `invalid('/segment', 'unknown_id', …)`. */
export const invalid = (pointer: string, code: string, message: string): ApiError =>
  new ApiError('validation_failed', message, { errors: [{ pointer, code, message }] })
