import { type ErrorCode, type Problem, problemDocument, statusOf } from '../../rules/problem.ts'

type Refusal = {
  code: ErrorCode
  detail: string
  instance: string
  members?: Record<string, unknown>
  errors?: Problem[]
}

/** How an operation ends that is refused. The request that asked is not known here; its operation stands for it. */
export const refused = (operation: string, refusal: Refusal) => ({
  state: 'failed' as const,
  status: statusOf(refusal.code),
  result: problemDocument({ ...refusal, requestId: operation }),
})

/** How an operation ends whose thing was deleted before its workflow came to it: its caller is answered a 404. */
export const gone = (operation: string, what: string, instance: string) =>
  refused(operation, {
    code: 'not_found',
    detail: `The ${what} was deleted meanwhile.`,
    instance,
  })

/**
 * How an operation ends for which the model wrote no letter that can be used: its caller is answered a 409. `code` says why,
 * such as model_refused, forbidden_words or foreign_contact.
 */
export const notWritten = (operation: string, place: number, code: string, instance: string) =>
  refused(operation, {
    code: 'letter_not_written',
    detail: `The model wrote no letter ${place} that can be used (${code}).`,
    instance,
    members: { reason: code },
  })
