import { deepEqual, equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { changes } from '../../support/changes.ts'
import { type RouteCalls, refused, startRouteCalls } from '../../support/route-calls.ts'
import { bodyOf, forEach, needsKey } from '../../support/samples.ts'

// What every route that changes something shares: which keys and bodies it refuses.

const usual = 1 << 20

describe('every route', function () {
  // Each test goes through all of them.
  this.timeout(120_000)
  let { service, room, call, announced } = {} as RouteCalls
  before(async () => {
    ;({ service, room, call, announced } = await startRouteCalls())
  })
  after(() => service.close())

  describe('that changes something', () => {
    const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })
    const asked = () => changes.filter((route) => needsKey(route, bodyOf(route, room)))

    it('needs a key', () =>
      forEach(asked(), async (route) =>
        refused(await call(route, keyed('')), 400, 'idempotency_key_missing'),
      ))

    it('refuses a malformed key', () =>
      forEach(asked(), async (route) => {
        for (const key of ['a b', 'ü', '""', 'x'.repeat(256)])
          refused(await call(route, keyed(key)), 400, 'idempotency_key_invalid')
      }))

    it('refuses a body that is not JSON', () =>
      forEach(changes, async (route) => {
        for (const body of ['{', '{"a":1}}', "{'a':1}", 'undefined', '{"a":\u0001}'])
          refused(await call(route, { body }), 400, 'malformed_json')
      }))

    it('refuses a body that is nested too deeply', () =>
      forEach(changes, async (route) => {
        const body = `${'{"a":['.repeat(50_000)}${']}'.repeat(50_000)}`
        const answer = await call(route, { body })
        refused(answer, 422, 'validation_failed')
        equal(answer.body.errors[0].code, 'too_deep')
      }))

    it('refuses a body of another type', () =>
      forEach(changes, async (route) => {
        for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx'])
          refused(
            await call(route, { headers: { 'content-type': type }, body: '{}' }),
            415,
            'unsupported_media_type',
          )
      }))

    it('refuses a body over its limit', () =>
      forEach(changes, async (route) => {
        const limit = ('bodyLimit' in route && route.bodyLimit) || usual
        const code = route.errors?.includes('file_too_large') ? 'file_too_large' : 'body_too_large'
        const headers = { 'idempotency-key': randomUUID() }
        refused(await announced(route, limit + 1, headers), 413, code)
        // In pieces, its length shows as it arrives.
        if (limit > usual) return
        const pieces = new Blob([`{"x":"${'x'.repeat(limit)}"}`]).stream()
        refused(await call(route, { body: pieces }), 413, code)
      }))

    it('refuses a member it does not know, by its pointer', () =>
      forEach(changes, async (route) => {
        const body = JSON.stringify({
          ...bodyOf(route, room),
          'snooze/Untill': 1,
          'a~b': null,
        })
        const answer = await call(route, { body })
        refused(answer, 422, 'validation_failed')
        const known = answer.body.errors.map(({ pointer, code }: Record<string, string>) => [
          pointer,
          code,
        ])
        deepEqual(known, [
          ['/snooze~1Untill', 'unknown_member'],
          ['/a~0b', 'unknown_member'],
        ])
      }))

    it('refuses a body that is not an object', () =>
      forEach(changes, async (route) => {
        for (const body of ['[]', 'null', '"x"', '1', 'true', '[[]]'])
          refused(await call(route, { body }), 422, 'validation_failed')
      }))
  })
})
