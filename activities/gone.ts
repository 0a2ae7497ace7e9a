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
