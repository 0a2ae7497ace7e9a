import { equal, ok } from 'node:assert/strict'
import { type SharedService, sharedService } from '../../support/service.ts'

describe('/llms.txt and /llms-full.txt', () => {
  let service: SharedService
  before(async function () {
    service = await sharedService(this.test?.ctx as Mocha.Context)
  })

  for (const [path, words] of [
    ['/llms.txt', ['POST /api/v1/conversations/{id}/messages', '/llms-full.txt', 'Guarantees']],
    ['/llms-full.txt', ['# Tools for agents', 'POST /api/v1/conversations/{id}/messages']],
  ] as const)
    it(`${path} says what there is, without a token, and nothing again to who has it`, async () => {
      const first = await fetch(`${service.url}${path}`)
      const text = await first.text()
      equal(first.status, 200)
      equal(first.headers.get('content-type'), 'text/plain; charset=utf-8')
      for (const word of words) ok(text.includes(word), word)
      const etag = first.headers.get('etag') ?? ''
      const again = await fetch(`${service.url}${path}`, { headers: { 'if-none-match': etag } })
      equal(again.status, 304)
    })
})
