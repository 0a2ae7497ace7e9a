import { equal, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Route } from '../../api/route.ts'
import { openRaw } from './raw.ts'
import { bodyOf, givenRoom, pathOf } from './samples.ts'
import { startService } from './service.ts'

// Calls of any route that are wrong in one way.

export type RouteCalls = Awaited<ReturnType<typeof startRouteCalls>>

/** A service with a room, and calls of its routes. */
export async function startRouteCalls() {
  const service = await startService()
  const room = await givenRoom(service)
  return { service, room, raw, call, announced }

  async function raw(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: string | ReadableStream,
  ) {
    const url = `${service.url}/api/v1${path}`
    const response = await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body, duplex: 'half' as const }),
    })
    const text = await response.text()
    const isPage = response.headers.get('content-type')?.startsWith('text/html')
    const answer = isPage ? { text } : JSON.parse(text || '{}')
    return { status: response.status, headers: response.headers, body: answer }
  }
  /** A call of the route that should pass, but for what is given. */
  function call(
    route: Route,
    but: { headers?: Record<string, string>; body?: string | ReadableStream; id?: string } = {},
  ) {
    const sample = bodyOf(route, room)
    const headers = {
      authorization: `Bearer ${room.token}`,
      ...(route.method !== 'GET' && { 'idempotency-key': randomUUID() }),
      ...(route.method !== 'GET' && { 'content-type': 'application/json' }),
      ...but.headers,
    }
    const body = but.body ?? (sample && JSON.stringify(sample))
    return raw(route.method, pathOf(route, room, but.id), headers, body)
  }

  /** A call of the route whose body has this length, if it ever comes. */
  async function announced(route: Route, length: number, headers: Record<string, string> = {}) {
    const raw = openRaw(service.url, route.method, `/api/v1${pathOf(route, room, 'x_unknown')}`, {
      authorization: `Bearer ${room.token}`,
      'content-type': 'application/json',
      ...headers,
      'content-length': length,
    })
    const { status, head } = await raw.answered()
    const [, ...lines] = head.split('\r\n')
    const named = lines.map((line) => /^(.*?): (.*)$/.exec(line)?.slice(1) as [string, string])
    const [, text = ''] = raw.answer().split('\r\n\r\n')
    raw.destroy()
    return { status, headers: new Headers(named), body: JSON.parse(text) }
  }
}

type Answer = Awaited<ReturnType<RouteCalls['raw']>>

export function refused({ status, headers, body }: Answer, wanted: number, code: string) {
  equal(`${status} ${body.code}`, `${wanted} ${code}`)
  match(headers.get('content-type') ?? '', /^application\/problem\+json/)
  equal(headers.get('x-request-id'), body.requestId)
  ok(body.requestId)
  for (const member of ['type', 'title', 'detail', 'instance']) equal(typeof body[member], 'string')
  equal(body.status, status)
  equal(typeof body.retryable, 'boolean')
}
