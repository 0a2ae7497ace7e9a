import type { Candidate, MissingPart, ProblemItem } from './generated/schemas.ts'

// What is thrown: the refusals of the service, each a type of its own by its code, and what the client itself finds.

/** The members that a refusal has beside those of all, by its code. */
type Members = {
  insufficient_scope: { /** All the scopes that the call needs. */ scopes: string[] }
  conflict: { /** The cards that it is about. */ people?: string[] }
  merged: { /** The card that the other one has become part of. */ mergedInto: string }
  invalid_state: {
    /** The state that the resource is in, and what would be allowed. */
    state?: string
    allowed?: string[]
  }
  campaign_incomplete: { missing: MissingPart[] }
  contact_ambiguous: { candidates: Candidate[] }
  sender_ambiguous: { candidates: Candidate[] }
}

/** Every code of a refusal. More may be added: keep a default where you decide by it. */
export const codes = [
  ...['malformed_request', 'malformed_json', 'invalid_query', 'invalid_cursor'],
  ...['idempotency_key_missing', 'idempotency_key_invalid', 'idempotency_in_progress'],
  ...['idempotency_key_reused', 'token_missing', 'invalid_token', 'token_expired'],
  ...['insufficient_scope', 'not_found', 'no_such_route', 'method_not_allowed', 'request_timeout'],
  ...['changed_meanwhile', 'body_too_large', 'file_too_large', 'unsupported_media_type'],
  ...['range_not_satisfiable', 'conflict', 'merged', 'invalid_state', 'campaign_incomplete'],
  ...['letter_not_written', 'segment_in_use', 'validation_failed', 'recipient_suppressed'],
  ...['contact_ambiguous', 'sender_ambiguous', 'no_contact', 'erased', 'time_in_past'],
  ...['local_time_missing', 'unreadable_file', 'login_failed', 'server_unreachable'],
  ...['private_address', 'secret_needed', 'needs_successor', 'quota_exceeded', 'rate_limited'],
  ...['headers_too_large', 'internal', 'provider_failed', 'unavailable', 'still_running'],
] as const

export type Code = (typeof codes)[number]

/** A refusal of the service (RFC 9457), by its code. */
export type Problem = {
  [C in Code]: {
    type: string
    title: string
    status: number
    /** What is wrong with this call, in words. */
    detail: string
    instance: string
    code: C
    /** Identifies the call in the log of the service. */
    requestId: string
    /** Whether the same call is worth repeating, with the same key. */
    retryable: boolean
    errors?: ProblemItem[]
  } & (C extends keyof Members ? Members[C] : unknown)
}[Code]

/** What the client itself throws. */
export type ClientCode =
  /** No clear answer came within `retryForMs`. The change may have been carried out: repeat it with the same step or `key`. */
  | 'no_answer'
  /** The service answered with a redirect, which is not followed, because the token would go with it. */
  | 'redirected'
  /** The key of the step is older than the service keeps keys, so a repeat could be carried out a second time. */
  | 'step_too_old'
  /** An operation has not ended within the time that was given to it. */
  | 'not_ended'
  /** A webhook is not signed by its secret, or too long ago. */
  | 'invalid_signature'
  /** What the client was given cannot be used. */
  | 'invalid_options'

/** Everything that calls and checks throw, except the reason of your own `signal`. */
export class PostroomError extends Error {
  override readonly name: string = 'PostroomError'
  readonly code: Code | ClientCode
  /** The key of the change: the same key repeats the same call. */
  readonly key: string | undefined

  constructor(
    code: Code | ClientCode,
    message: string,
    { key, cause }: { key?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.code = code
    this.key = key
  }
}

/** A refusal of the service. */
export class Refusal extends PostroomError {
  override readonly name = 'Refusal'
  readonly problem: Problem
  readonly status: number
  readonly requestId: string

  constructor(problem: Problem, key?: string | undefined) {
    super(problem.code, problem.detail, { key })
    this.problem = problem
    this.status = problem.status
    this.requestId = problem.requestId
  }
}

/** The refusal that was thrown, to decide by its `code`; undefined for anything else. */
export const problemOf = (error: unknown): Problem | undefined =>
  error instanceof Refusal ? error.problem : undefined
