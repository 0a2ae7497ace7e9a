import { deepEqual, equal } from 'node:assert/strict'
import { pointerOf } from '../../rules/json-pointer.ts'
import { type ErrorCode, errorCodes, problemDocument } from '../../rules/problem.ts'

const instance = '/api/v1/people'
const requestId = 'req_1'

describe('the problem document', () => {
  const refusals: [code: ErrorCode, status: number, title: string, retryable: boolean][] = [
    ['not_found', 404, 'Not found', false],
    ['letter_not_written', 409, 'Conflict', false],
    ['idempotency_in_progress', 409, 'Conflict', true],
    ['validation_failed', 422, 'Not acceptable as sent', false],
    ['rate_limited', 429, 'Too many requests', true],
    ['still_running', 504, 'Still running', true],
  ]
  for (const [code, status, title, retryable] of refusals)
    it(`of ${code} is a ${status}, ${retryable ? 'worth' : 'not worth'} repeating`, () =>
      deepEqual(problemDocument({ code, detail: 'It is so.', instance, requestId }), {
        type: `urn:postroom:problem:${code}`,
        title,
        status,
        detail: 'It is so.',
        instance,
        code,
        requestId,
        retryable,
      }))

  it('ends with its further members, and what is wrong with each member of the request', () => {
    const errors = [{ pointer: '/name', code: 'too_big', message: 'is too long' }]
    const refusal = { code: 'invalid_state', detail: '', instance, requestId, errors } as const
    const document = problemDocument({ ...refusal, members: { state: 'done' } })
    deepEqual(Object.entries(document).slice(-2), [
      ['state', 'done'],
      ['errors', errors],
    ])
  })

  it('has a title for every code', () => {
    for (const code of errorCodes)
      equal(problemDocument({ code, detail: '', instance, requestId }).title === 'Error', false)
  })
})

describe('a JSON pointer', () => {
  const paths: [path: PropertyKey[], pointer: string][] = [
    [[], ''],
    [['people', 0, 'name'], '/people/0/name'],
    [['a/b', 'c~d', '~1'], '/a~1b/c~0d/~01'],
  ]
  for (const [path, pointer] of paths)
    it(`to ${JSON.stringify(path)} is “${pointer}”`, () => equal(pointerOf(path), pointer))
})
