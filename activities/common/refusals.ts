import { type ErrorCode, type Problem, problemDocument, statusOf } from '../../rules/problem.ts'

type Refusal = {
  code: ErrorCode
  detail: string
  instance: string
  members?: Record<string, unknown>
  errors?: Problem[]
}

/** Ends an operation with a refusal. The id of the original request is not known here, so the operation's id stands in for it. */
export const refused = (operation: string, refusal: Refusal) => ({
  state: 'failed' as const,
  status: statusOf(refusal.code),
  result: problemDocument({ ...refusal, requestId: operation }),
})

/** Ends an operation whose subject was deleted before its workflow reached it: the caller gets a 404. */
export const gone = (operation: string, what: string, instance: string) =>
  refused(operation, {
    code: 'not_found',
    detail: `The ${what} was deleted meanwhile.`,
    instance,
  })

/**
 * Ends an operation for which the model wrote no usable letter: the caller gets a 409. `code` says why, such as model_refused,
 * forbidden_words or foreign_contact.
 */
export const notWritten = (operation: string, place: number, code: string, instance: string) =>
  refused(operation, {
    code: 'letter_not_written',
    detail: `The model wrote no letter ${place} that can be used (${code}).`,
    instance,
    members: { reason: code },
  })
