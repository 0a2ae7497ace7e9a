import { equal, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { z } from 'zod'
import { answersEvents } from '../../api/http/event-stream.ts'
import type { Route } from '../../api/route.ts'
import { routes } from '../../api/routes/index.ts'
import { jsonShapeOf } from './json-shapes.ts'
import { bodyOf, forEach, givenRoom, pathOf, type Room } from './samples.ts'
import { eventually, startService, type TestService } from './service.ts'

// Whatever is sent, the answer says what is wrong with it: nothing that a client writes causes a 5xx.

/** The members of a shape by name, each with its JSON Schema as text. */
const members = (shape: z.ZodType = z.object({})) =>
  Object.entries(jsonShapeOf(shape)['properties'] ?? {}).map(
    ([name, schema]) => [name, JSON.stringify(schema)] as const,
  )

const deep = (n: number): unknown => (n === 0 ? 1 : { a: [deep(n - 1)] })
const texts = [
  ...['', ' ', 'x', '\0', 'a\0b', '\ud800', 'x\udfffy', '\u202e', '😀'.repeat(300)],
  ...["'; drop table people; --", '%', '\\', '$1', '../../etc/passwd', '{{7*7}}', '\r\nX: y'],
  ...['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59', '2026-02-30T00:00:00Z', '1e999'],
  ...['2026-11-23T10:00:00', '2026-11-23', 'null', '-0', 'a@b', 'a@b.example', 'x'.repeat(70_000)],
]
const numbers = ['1', '-1', '0', '1.5', '1e308', '1e999', '-0', '9007199254740993']
const odd = [
  ...['', 'x', '\0', null, true, false].map((value) => JSON.stringify(value)),
  ...[deep(20), [], {}, [[]], [null], [{}], [''], ['\0'], [1]].map((value) =>
    JSON.stringify(value),
  ),
  ...['{"__proto__":{"x":1}}', '{"constructor":1}', '{"length":3}', '["\\ud800"]', '{"\\u0000":1}'],
  ...['[{"__proto__":null,"kind":"only","text":"x"}]', '[{"kind":"only","text":1,"a":1e999}]'],
  ...['{"\\ud800":"x"}', '[{"x":"\\ud800"}]', '[{"x\\u0000":1}]'],
  ...numbers,
]
const lists = [
  JSON.stringify(Array.from({ length: 10_000 }, (_, i) => `x${i}`)),
  JSON.stringify(Array.from({ length: 10_000 }, () => ({ kind: 'only', text: 'x' }))),
]
/** Texts and long lists only where the member may be one: elsewhere one is as wrong as another. */
const valuesFor = (schema: string) => [
  ...odd,
  ...(/"type":"string"(?!,"(enum|const)")|^\{\}$/.test(schema)
    ? texts.map((text) => JSON.stringify(text))
    : []),
  ...(/"type":"array"|^\{\}$/.test(schema) ? lists : []),
]

/**
 * Tests that go through all routes. Of the values for the members of bodies, each member gets every so manieth, the next member
 * other ones.
 */
export function tryOddInputs({ every }: { every: number }) {
  let service: TestService
  let room: Room

  before(async () => {
    service = await startService({ patience: { dispatchMs: 0 } })
    room = await givenRoom(service)
  })
  after(() => service.close())

  /** The answer to a call. One that is awaited is accepted, and still runs: nothing works here. */
  async function answerOf(route: Route, body: string | undefined, query = '') {
    const request = {
      method: route.method,
      headers: {
        authorization: `Bearer ${room.token}`,
        ...(route.method !== 'GET' && { 'idempotency-key': randomUUID() }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    }
    const url = `${service.url}/api/v1${pathOf(route, room)}${query}`
    const ask = async () => {
      const response = await fetch(url, request)
      if (answersEvents(route) && response.ok) {
        await response.body?.cancel()
        return { status: response.status, text: '' }
      }
      return { status: response.status, text: await response.text() }
    }
    // More calls at once than files may wait: these are to be repeated.
    const { status, text } = await eventually(ask, ({ status: of }) => of !== 503, 60_000)
    const isRunning = status === 504 && JSON.parse(text).code === 'still_running'
    return { status: isRunning ? 202 : status, text }
  }

  it('in any member of a body are refused or accepted', () => {
    const changes = routes.filter(({ method }) => method !== 'GET')
    return forEach(changes, async (route) => {
      const sample = (bodyOf(route, room) ?? {}) as Record<string, unknown>
      const named = 'body' in route ? members(route.body) : []
      for (const [n, [name, schema]] of named.entries()) {
        const nth = n + changes.indexOf(route)
        const rest = Object.entries(sample).filter(([other]) => other !== name)
        const pairs = rest.map(([other, its]) => `${JSON.stringify(other)}:${JSON.stringify(its)}`)
        await Promise.all(
          valuesFor(schema)
            .filter((_, i) => (i + nth) % every === 0)
            .map(async (value) => {
              const body = `{${[...pairs, `${JSON.stringify(name)}:${value}`].join()}}`
              const { status, text } = await answerOf(route, body)
              ok(status < 500, `${name}: ${value.slice(0, 100)}: ${status} ${text.slice(0, 300)}`)
              ok(text.length < 400_000, `${name}: the answer has ${text.length} characters`)
            }),
        )
      }
    })
  })

  it('in a query are refused or accepted', () =>
    forEach(routes, async (route) => {
      for (const [name] of members(route.query))
        await Promise.all(
          [...texts, ...numbers, '[]', '{}'].map(async (value) => {
            const query = `?${name}=${encodeURIComponent(value.toWellFormed().slice(0, 5000))}`
            const { status } = await answerOf(route, undefined, query)
            ok(status < 500, `${query}: ${status}`)
          }),
        )
      for (const query of [
        ...['?__proto__=x', '?__proto__=%00', '?=x', '?%', '?%00', '?%ff=%fe'],
        ...['?&&&', '?=', '?a[]=1', '?limit[]=1', '??limit=1'],
      ])
        ok((await answerOf(route, undefined, query)).status < 500, query)
    }))

  it('in a path are not found', async () => {
    const odd = [
      '%',
      '%00',
      '%ff',
      '%2f',
      '%252e',
      '%20',
      '%F0%9F%98%80',
      '~',
      'a%2Fb',
      ';x=1',
      '*',
    ]
    for (const path of ['/People', '/CONVERSATIONS', '//people', '/people//', '/people/.'])
      equal((await room.call('GET', path)).status, path.endsWith('.') ? 200 : 404, path)
    for (const base of ['', '/people/', '/conversations/', '/operations/', '/campaigns/'])
      for (const end of odd) {
        const { status, body } = await room.call('GET', `${base}${end}`)
        equal(`${base}${end} ${status}`, `${base}${end} 404`)
        ok(['not_found', 'no_such_route'].includes(body.code))
      }
  })

  it('in the raw bytes of a request cause no failure', async () => {
    const { port } = new URL(service.url)
    const send = (bytes: string) =>
      new Promise<string>((resolve) => {
        const socket = connect(Number(port), '127.0.0.1')
        let answer = ''
        socket.setTimeout(3000, () => socket.destroy())
        socket.on('data', (chunk) => {
          answer += chunk.toString('latin1')
        })
        socket.on('error', () => {})
        socket.on('close', () => resolve(answer))
        socket.write(bytes, 'latin1')
      })
    const auth = `Authorization: Bearer ${room.token}`
    const end = `Host: x\r\n${auth}\r\nConnection: close\r\n`
    const post = 'Idempotency-Key: raw\r\nContent-Type: application/json\r\n'
    const requests = [
      `GET http://[ HTTP/1.1\r\n${end}\r\n`,
      `GET http://other.example/api/v1 HTTP/1.1\r\n${end}\r\n`,
      `GET //[/api HTTP/1.1\r\n${end}\r\n`,
      `GET \\\\ HTTP/1.1\r\n${end}\r\n`,
      `GET /api/v1/people#x HTTP/1.1\r\n${end}\r\n`,
      `GET /api/v1/../v1/people HTTP/1.1\r\n${end}\r\n`,
      `GET /api/v1/people/\xff\xfe HTTP/1.1\r\n${end}\r\n`,
      `OPTIONS * HTTP/1.1\r\n${end}\r\n`,
      `HEAD /api/v1/people HTTP/1.1\r\n${end}\r\n`,
      `PATCH /api/v1/workspace HTTP/1.1\r\n${end}${post}Content-Length: 2\r\n\r\n{}`,
      `PATCH /api/v1/workspace HTTP/1.1\r\n${end}${post}Content-Length: 5\r\n\r\n\xff\xfe{}\x00`,
      `PATCH /api/v1/workspace HTTP/1.1\r\n${end}${post}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
      `GET /api/v1/people HTTP/1.1\r\n${end}Content-Length: 3\r\n\r\n{"a`,
      `PATCH /api/v1/workspace HTTP/1.1\r\n${end}Idempotency-Key: a\r\nIdempotency-Key: b\r\n\r\n`,
      `GET /api/v1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \xff\xfe\r\nConnection: close\r\n\r\n`,
      `GET /livez?x HTTP/1.1\r\n${end}\r\n`,
      `POST /u/%00 HTTP/1.1\r\n${end}\r\n`,
      `POST /u/${'x'.repeat(50)} HTTP/1.1\r\n${end}Content-Length: 3\r\n\r\nabc`,
    ]
    for (const request of requests) {
      const answer = await send(request)
      match(answer, /^HTTP\/1\.1 [234]\d\d /, request.split('\r\n')[0])
      match(answer, /\r\nX-Request-Id: /)
    }
    const code = async (request: string) =>
      JSON.parse((await send(request)).split('\r\n\r\n')[1] ?? '').code
    equal(await code('NONSENSE\r\n\r\n'), 'malformed_request')
    equal(await code(`GET /api/v1 HTTP/1.1\r\nX: ${'x'.repeat(140_000)}\r\n`), 'headers_too_large')
  })
}
