import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { startService, type TestService } from '../../support/service.ts'

// How much a body of JSON may hold, and what is said of one that holds more.

const large = 7_500_000

describe('a body', function () {
  this.timeout(60_000)
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  describe('of JSON', () => {
    const said = async (body: string) => {
      const { call } = await service.workspace()
      const reply = await call('PATCH', '/workspace', body)
      return `${reply.status} ${reply.body.errors?.[0].code}`
    }

    it('may hold at most 50,000 values', async () => {
      const ones = (n: number) => `{"x":[${Array.from({ length: n }, () => 1).join(' , ')}]}`
      equal(await said(ones(49_998)), '422 unknown_member')
      equal(await said(ones(49_999)), '422 too_many_values')
      const named = (n: number) =>
        `{${Array.from({ length: n }, (_, i) => `"m${i}": []`).join(',')}}`
      equal(await said(named(49_999)), '422 unknown_member')
      equal(await said(named(50_000)), '422 too_many_values')
      const lists = (n: number) => `{"x":[${Array.from({ length: n }, () => '[]').join()}]}`
      equal(await said(lists(49_998)), '422 unknown_member')
      equal(await said(lists(49_999)), '422 too_many_values')
      // What looks like a value within a string does not count.
      const text = JSON.stringify({ x: '[1,1,"\\",:{['.repeat(60_000) })
      equal(await said(text), '422 unknown_member')
    })

    it('may be nested at most 64 levels deep', async () => {
      const nested = (n: number) => `{"x":${'['.repeat(n - 1)}${']'.repeat(n - 1)}}`
      equal(await said(nested(64)), '422 unknown_member')
      equal(await said(nested(65)), '422 too_deep')
      equal(await said(`{"x":"${'['.repeat(1000)}"}`), '422 unknown_member')
    })

    it('counts as empty when it is absent or blank', async () => {
      const { call } = await service.workspace()
      for (const body of ['', ' ', '\r\n\t '])
        equal((await call('PATCH', '/workspace', body)).status, 200)
      for (const body of ['{', '"', '[', ']', ',', '{"a":}', '[1,]', '}{'])
        equal((await call('PATCH', '/workspace', body)).status, 400, body)
    })

    it('is refused for too many values at little more cost than a string of its length', async () => {
      const { call } = await service.workspace()
      const took = async (body: string, status: number) => {
        const times = []
        for (let i = 0; i < 3; i++) {
          const from = performance.now()
          equal((await call('POST', '/people/import', body)).status, status)
          times.push(performance.now() - from)
        }
        return Math.min(...times)
      }
      const text = await took(`{"x":"${'1'.repeat(large)}"}`, 422)
      const list = await took(`{"x":[${'1,'.repeat(large / 2)}1]}`, 422)
      const members = await took(`{${'"a":1,'.repeat(large / 6)}"b":1}`, 422)
      ok(list < 3 * text + 100, `${list} ms against ${text} ms`)
      ok(members < 3 * text + 100, `${members} ms against ${text} ms`)
    })

    it('has its first thousand problems listed and the rest counted', async () => {
      const { call } = await service.workspace()
      const members = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`m${i}`, 1]))
      const { status, body } = await call('PATCH', '/workspace', members)
      deepEqual([status, body.errors.length], [422, 1_000])
      match(body.detail, /4000 more/)
    })

    it('is refused at the first string with characters that are not allowed', async () => {
      const { call } = await service.workspace()
      const { status, body } = await call('POST', '/campaigns', { name: 'a\0', goal: 'b\0' })
      equal(status, 422)
      deepEqual(
        body.errors.map(({ pointer, code }: Record<string, string>) => [pointer, code]),
        [['/name', 'invalid_text']],
      )
    })
  })
})
