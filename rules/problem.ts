// Each refusal has a stable code, which determines its status, its title and whether it is worth repeating. Refusals are
// rendered as RFC 9457, whether the API refuses at once or a workflow does later.

const statuses = {
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
  changed_meanwhile: 412,
  body_too_large: 413,
  file_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  idempotency_in_progress: 409,
  conflict: 409,
  merged: 409,
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
  // 410 where the answer that is asked for again held something of the person.
  erased: 422,
  time_in_past: 422,
  local_time_missing: 422,
  unreadable_file: 422,
  login_failed: 422,
  server_unreachable: 422,
  private_address: 422,
  secret_needed: 422,
  needs_successor: 422,
  // 429 where there is room again by itself.
  quota_exceeded: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal: 500,
  provider_failed: 502,
  unavailable: 503,
  still_running: 504,
} as const

export type ErrorCode = keyof typeof statuses
export const errorCodes = Object.keys(statuses) as ErrorCode[]

/** One invalid member: where it is (a JSON pointer into the body, or a query or path parameter) and what is wrong with it. */
export type Problem = { pointer?: string; parameter?: string; code: string; message: string }

const titles: Record<number, string> = {
  400: 'Bad request',
  401: 'Not authenticated',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Too slow',
  409: 'Conflict',
  410: 'Gone',
  412: 'Changed meanwhile',
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

/** Worth repeating unchanged, after a while and with the same key. */
const retryable = new Set<ErrorCode>([
  'idempotency_in_progress',
  'rate_limited',
  'internal',
  'provider_failed',
  'unavailable',
  'still_running',
])

export type Refused = {
  code: ErrorCode
  /** By default that of the code. */
  status?: number
  detail: string
  /** The path of the request that was refused. */
  instance: string
  requestId: string
  /** Further members of the document, e.g. `state` and `allowed`. */
  members?: Record<string, unknown>
  errors?: Problem[] | undefined
}

export const statusOf = (code: ErrorCode): number => statuses[code]

/** The body of a refusal: RFC 9457 with the stable `code`, `requestId` and `retryable`. */
export function problemDocument({
  code,
  detail,
  instance,
  requestId,
  members,
  errors,
  ...refused
}: Refused) {
  const { status = statusOf(code) } = refused
  return {
    type: `urn:postroom:problem:${code}`,
    title: titles[status] ?? 'Error',
    status,
    detail,
    instance,
    code,
    requestId,
    // A quota may have room again by itself, which its status says.
    retryable: retryable.has(code) || status === 429,
    ...members,
    ...(errors && { errors }),
  }
}
