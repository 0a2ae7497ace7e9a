/**
 * How an operation ends whose thing was deleted before its workflow came to it: its caller is answered a 404, as an RFC 9457
 * document. The request that asked is not known here; its operation stands for it.
 */
export const gone = (operation: string, what: string, instance: string) => ({
  state: 'failed' as const,
  status: 404,
  result: {
    type: 'urn:postroom:problem:not_found',
    title: 'Not found',
    status: 404,
    detail: `The ${what} was deleted meanwhile.`,
    instance,
    code: 'not_found',
    requestId: operation,
    retryable: false,
  },
})

/**
 * How an operation ends for which the model wrote no letter that can be used: its caller is answered a 409. `code` says why,
 * such as model_refused, forbidden_words or foreign_contact.
 */
export const notWritten = (operation: string, place: number, code: string, instance: string) => ({
  state: 'failed' as const,
  status: 409,
  result: {
    type: 'urn:postroom:problem:letter_not_written',
    title: 'Conflict',
    status: 409,
    detail: `The model wrote no letter ${place} that can be used (${code}).`,
    instance,
    code: 'letter_not_written',
    requestId: operation,
    retryable: false,
    reason: code,
  },
})
