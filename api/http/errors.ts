import { type ErrorCode, type Problem, problemDocument, statusOf } from '../../rules/problem.ts'

// Every refusal is one ApiError with a stable code, rendered in one place, app.ts, as in RFC 9457.

export type { ErrorCode, Problem } from '../../rules/problem.ts'

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
      /** By default that of the code. */
      status?: number
    } = {},
  ) {
    super(message)
    this.code = code
    this.status = details.status ?? statusOf(code)
    this.errors = details.errors
    this.members = details.members ?? {}
    this.headers = details.headers ?? {}
  }
}

/** Why one of many was refused, where nobody else is. @throws what is no refusal. */
export function refusalOf(error: unknown): Problem[] {
  if (!(error instanceof ApiError) || error.status >= 500) throw error
  return error.errors ?? [{ code: error.code, message: error.message }]
}

/** The body of a refusal, as every answer shows it. */
export const problemOf = (
  { code, status, message: detail, members, errors }: ApiError,
  instance: string,
  requestId: string,
) => problemDocument({ code, status, detail, instance, requestId, members, errors })

/** The row, or 404: an id of another workspace is answered like one that never existed. */
export function found<T>(row: T | undefined | null, what: string): T {
  if (row === undefined || row === null) throw missing(what)
  return row
}

export const missing = (what: string) => new ApiError('not_found', `There is no such ${what}.`)

/** Nothing of the call's own: what it needs is away for the moment. `how` says what to do. */
export const unavailable = (how = 'repeat with the same key') =>
  new ApiError('unavailable', `Not available at the moment: ${how}.`, {
    headers: { 'Retry-After': '2' },
  })

export const internal = () =>
  new ApiError('internal', 'Something went wrong here; it is logged under the request id.')

/**
 * A 422 for one member of the body, e.g. an unknown id: `invalid('/segment', 'unknown_id', …)`. `message` is a whole sentence, or
 * what is to be said of the member.
 */
export const invalid = (pointer: string, code: string, message: string): ApiError => {
  const detail = /^\p{Lu}/u.test(message) ? message : `${pointer}: ${message}`
  return new ApiError('validation_failed', detail, { errors: [{ pointer, code, message }] })
}
