import { deepEqual } from 'node:assert/strict'
import { openRaw } from '../../support/raw.ts'
import { startService, type TestService } from '../../support/service.ts'

// A call without a token is asked for one (401) where its path and method are in the table.

const answers = [
  ...['GET /api/v1', 'GET /api/v1/', 'GET /api/v1/people', 'GET /api/v1/people/'].map(known),
  ...['HEAD /api/v1/people', 'GET http://host/api/v1/people'].map(known),
  ...['GET /api/v1/people/p1', 'GET /api/v1/people/a%2Fb', 'GET /api/v1/people/%00'].map(known),
  ...['GET /api/v1/people/%2e%2e', 'GET /api/v1/people/;x', 'GET /api/v1/people/*'].map(known),
  ...['POST /api/v1/people/import', 'POST /api/v1/people/import/'].map(known),
  ...['GET /api', 'GET /api/v1//', 'GET /API/v1/people'].map(unknown),
  ...['GET /api/v1/People', 'GET /api/v1//people', 'GET //api/v1/people'].map(unknown),
  ...['GET /api/v1/people//', 'GET /api/v1/people/p1/none', 'GET /api/v1/nothing'].map(unknown),
  ...['GET /api/v1/%70eople', 'GET /api/v1/people%2Fp1', 'GET /api%2Fv1/people'].map(unknown),
  ...['GET /api/v1/people/%', 'GET /api/v1/people/%ff', 'PUT /api/v1/people/%zz'].map(unknown),
  ...['OPTIONS *', 'OPTIONS /api/v1/nothing', 'GET /docs/', 'PUT /api/v1/nothing'].map(unknown),
  // They lead to /docs.
  ['GET /', 302, undefined],
  ['GET //', 302, undefined],
  ['GET /api/v1/people/import', 405, 'POST'],
  ['GET /api/v1/people/import/', 405, 'POST'],
  ['PUT /api/v1/people/p1', 405, 'GET, HEAD, PATCH, DELETE'],
  ['OPTIONS /api/v1/people/p1', 405, 'GET, HEAD, PATCH, DELETE'],
  ['DELETE /api/v1', 405, 'GET, HEAD'],
  ['TRACE /api/v1/', 405, 'GET, HEAD'],
] as const

function known(call: string) {
  return [call, 401, undefined] as const
}
function unknown(call: string) {
  return [call, 404, undefined] as const
}

describe('a path', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  for (const [call, status, allow] of answers)
    it(`${call} is answered ${status}${allow ? `, and with Allow: ${allow}` : ''}`, async () => {
      const [method = '', path = ''] = call.split(' ')
      const raw = openRaw(service.url, method, path, { Connection: 'close' })
      const answer = await raw.answered()
      deepEqual([answer.status, /^Allow: (.*)$/m.exec(answer.head)?.[1]?.trim()], [status, allow])
    })
})
