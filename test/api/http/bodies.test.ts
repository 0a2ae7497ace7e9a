import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { piecesOf } from '../../../api/http/pieces.ts'
import type { Scope } from '../../../api/route.ts'
import { openRaw, type Raw } from '../../support/raw.ts'
import {
  comesTo,
  eventually,
  reaches,
  startService,
  type TestService,
} from '../../support/service.ts'

// Which bodies are accepted: from whom, how large, for how long. Bodies that are announced and do not arrive cost only a
// connection, and nothing waits for them when the head already decides the answer.

const mebibyte = 1024 * 1024
const large = 7_500_000

describe('a body', function () {
  this.timeout(60_000)
  let service: TestService
  /** Its calls wait for room for a second. */
  let hasty: TestService
  let open: Raw[] = []
  before(async () => {
    service = await startService()
    hasty = await startService({ patience: { roomMs: 1_000 } })
  })
  after(async () => {
    await hasty.close()
    await service.close()
  })
  afterEach(async () => {
    for (const raw of open) raw.destroy()
    open = []
  })

  /** Announces a body to the import, and sends nothing of it. */
  function announce(
    token: string,
    headers: Record<string, string | number> = {},
    { path = '/api/v1/people/import', at = service } = {},
  ) {
    const raw = openRaw(at.url, 'POST', path, {
      Authorization: `Bearer ${token}`,
      'Idempotency-Key': randomUUID(),
      'Content-Type': 'application/json',
      'Content-Length': large,
      ...headers,
    })
    open.push(raw)
    return raw
  }
  /** Announces a body that has room, and so is asked for. */
  async function hold(token: string, at = service) {
    const raw = announce(token, { Expect: '100-continue' }, { at })
    await comesTo(() => raw.status(), '100')
    return raw
  }
  const workspaces = (n: number) =>
    Promise.all(Array.from({ length: n }, () => service.workspace()))

  describe('is not waited for when its head decides the answer', () => {
    const cases: [string, Record<string, string | number>, Scope[], number, string][] = [
      ['by a token without the scope', {}, ['inbox:read'], 403, 'insufficient_scope'],
      ['that is longer than any', { 'Content-Length': 9 << 20 }, [], 413, 'file_too_large'],
      ['of another type', { 'Content-Type': 'text/plain' }, [], 415, 'unsupported_media_type'],
      [
        'under a key that is none',
        { 'Idempotency-Key': 'a b' },
        [],
        400,
        'idempotency_key_invalid',
      ],
      ['of nobody', { Authorization: 'Bearer prm_x' }, [], 401, 'invalid_token'],
    ]
    for (const [what, headers, scopes, status, code] of cases)
      it(`${what}: ${code}`, async () => {
        const { token, tokenWith } = await service.workspace()
        const own = scopes.length > 0 ? await tokenWith(scopes) : token
        const answer = await announce(own, headers).answered()
        deepEqual([answer.status, answer.code], [status, code])
      })

    it('when no scope that it could need is granted', async () => {
      const { tokenWith } = await service.workspace()
      const reader = await tokenWith(['inbox:read'])
      for (const path of ['/campaigns/x/state', '/conversations/x/tasks', '/archive']) {
        const length = { 'Content-Length': 1_000_000 }
        const answer = await announce(reader, length, { path: `/api/v1${path}` }).answered()
        deepEqual([answer.status, answer.code], [403, 'insufficient_scope'])
      }
    })

    it('when the calls of the minute are used up', async () => {
      const slow = await startService({ rates: 1 })
      const { token, call } = await slow.workspace()
      await call('PATCH', '/workspace', {})
      const raw = openRaw(slow.url, 'PATCH', '/api/v1/workspace', {
        Authorization: `Bearer ${token}`,
        'Content-Length': 100_000,
      })
      const answer = await raw.answered()
      deepEqual([answer.status, answer.code], [429, 'rate_limited'])
      raw.destroy()
      await slow.close()
    })

    it('by any of a hundred and fifty calls', async () => {
      const { tokenWith } = await service.workspace()
      const reader = await tokenWith(['inbox:read'])
      const held = Array.from({ length: 150 }, () => announce(reader))
      const answers = await Promise.all(held.map((raw) => raw.answered()))
      deepEqual([...new Set(answers.map(({ status }) => status))], [403])
    })

    it('and is discarded, so that its sender can read the answer, even on a connection that ends', async () => {
      const { tokenWith } = await service.workspace()
      const reader = await tokenWith(['inbox:read'])
      for (const connection of ['close', 'keep-alive']) {
        const raw = announce(reader, { Connection: connection })
        raw.write(Buffer.alloc(large, 0x20))
        equal((await raw.answered()).status, 403)
      }
    })

    it('and is not requested from a client that sends Expect', async () => {
      const { token, tokenWith } = await service.workspace()
      const expect = { Expect: '100-continue', 'Content-Length': 2 }
      const raw = announce(token, expect)
      await comesTo(() => raw.status(), '100')
      raw.write('{}')
      await eventually(
        async () => raw.answer(),
        (answer) => / 422 /.test(answer),
      )
      equal((await announce(await tokenWith([]), expect).answered()).status, 403)
    })
  })

  describe('counts towards the limits from its announcement to the end of its call', () => {
    const waits = (raws: Raw[]) =>
      raws.filter((raw) => [undefined, '100'].includes(raw.status())).length
    /** Long enough for an answer, if one were given at once. */
    const moment = () => new Promise((resolve) => setTimeout(resolve, 300))

    it('for its token: 16 MB at once', async () => {
      const { token, tokenWith, call } = await hasty.workspace()
      const held = [await hold(token, hasty), await hold(token, hasty)]
      const { status, head } = await announce(token, {}, { at: hasty }).answered()
      equal(status, 429)
      match(head, /\r\nRetry-After: \d+/i)
      equal(waits(held), 2)
      // A small one always fits, and another token has a limit of its own.
      equal((await call('PATCH', '/workspace', {})).status, 200)
      const other = await hold(await tokenWith(['inbox:write']), hasty)
      for (const raw of [...held, other]) raw.destroy()
      const file = { name: 'p.csv', content: Buffer.alloc(3 * mebibyte, 'x').toString('base64') }
      await eventually(
        () => call('POST', '/people/import', { file: { ...file, content: `${file.content}!` } }),
        ({ status }) => status === 422,
      )
    })

    it('for the process: 64 MB at once, not counting small ones', async () => {
      const several = await workspaces(6)
      const held = await Promise.all(
        several.slice(0, 4).flatMap(({ token }) => [hold(token), hold(token)]),
      )
      const [last] = several.slice(5)
      const { status, code, head } = await announce(last?.token ?? '').answered()
      deepEqual([status, code], [503, 'unavailable'])
      match(head, /\r\nRetry-After: \d+/i)
      equal((await last?.call('PATCH', '/workspace', {}))?.status, 200)
      equal((await last?.call('GET', '/people'))?.status, 200)
      equal(waits(held), 8)
    })

    it('as it arrives, when it gives no length', async () => {
      const { token } = await service.workspace()
      const raws = Array.from({ length: 4 }, () => {
        const raw = openRaw(service.url, 'POST', '/api/v1/people/import', {
          Authorization: `Bearer ${token}`,
          'Idempotency-Key': randomUUID(),
          'Content-Type': 'application/json',
          'Transfer-Encoding': 'chunked',
        })
        open.push(raw)
        raw.write(`${large.toString(16)}\r\n`)
        raw.write(Buffer.alloc(large, 0x20))
        return raw
      })
      const refused = () => raws.filter((raw) => raw.status() === '429').length
      await reaches(refused, 2)
      equal(waits(raws) + refused(), 4)
      ok(waits(raws) <= 2)
    })

    it('and one too many waits for those ahead of it', async () => {
      const { token, call } = await service.workspace()
      const [first, second] = [await hold(token), await hold(token)]
      const third = call('POST', '/people/import', `{"x":"${'x'.repeat(large)}"}`)
      equal(await Promise.race([third, moment()]), undefined)
      equal(waits([first, second]), 2)
      first.destroy()
      equal((await third).status, 422)
    })

    for (const connection of ['close', 'keep-alive'])
      it(`and one that waits too long is refused, and its sender can read the answer (${connection})`, async () => {
        const { token, call } = await hasty.workspace()
        await Promise.all([hold(token, hasty), hold(token, hasty)])
        const raw = announce(token, { Connection: connection }, { at: hasty })
        raw.write(Buffer.alloc(large, 0x20))
        const reply = call('POST', '/people/import', `{"x":"${'x'.repeat(large)}"}`)
        equal((await raw.answered()).status, 429)
        if (connection === 'keep-alive') {
          await moment()
          ok(raw.left() > 0, 'it was read all the same')
        }
        await eventually(async () => raw.closed(), Boolean)
        equal((await reply).status, 429)
      })

    it('and at most 64 wait at once', async () => {
      const { token } = await service.workspace()
      const raws = Array.from({ length: 70 }, () => announce(token))
      const refused = () => raws.filter((raw) => raw.status() === '429').length
      await reaches(refused, 4)
      ok(refused() < 68)
    })

    it('and each token may send only a limited number at once', async () => {
      const { token } = await service.workspace()
      const raws = Array.from({ length: 300 }, () => announce(token, { 'Content-Length': 10 }))
      const refused = () => raws.filter((raw) => raw.status() === '429').length
      equal(await reaches(refused, 44), 44)
      equal(waits(raws), 256)
    })
  })

  it('that is large is received at a bounded rate, which does not count as the time of its sender', async () => {
    const pieces = Array.from({ length: 400 }, () => Buffer.alloc(64 * 1024))
    const request = Readable.from(pieces) as IncomingMessage
    const from = performance.now()
    let size = 0
    const take = (_piece: Buffer, sofar: number) => {
      size = sofar
    }
    equal(await piecesOf(request, 2 * 26_214_400, take, { msUntil: () => 700 }), 26_214_400)
    equal(size, 26_214_400)
    const ms = performance.now() - from
    ok(ms > 1_000, `it was received within ${ms} ms`)
  })

  it('that does not arrive in full is given up after its time', async () => {
    const short = await startService({ patience: { bodyMs: 500, discardMs: 500 } })
    const { token } = await short.workspace()
    const raw = announce(token, {}, { at: short })
    raw.write('{')
    const { status, code } = await raw.answered()
    deepEqual([status, code], [408, 'request_timeout'])
    ok(await eventually(async () => raw.closed(), Boolean))
    await short.close()
  })
})
