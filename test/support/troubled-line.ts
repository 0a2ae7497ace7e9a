import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { atEnd } from './hooks.ts'

// A line to the API on which calls and answers are lost, late, doubled or replaced, as it is told for each request.

/** What may happen to a request, and what its caller sees of it. */
export const troubles = {
  'no connection': 'the connection ends before the request was passed on',
  'no answer': 'the service has answered, and the connection ends',
  'half a head': 'the connection ends within the head of the answer',
  'half a body': 'the connection ends within the body of the answer',
  'an empty body': 'the connection ends behind the head of the answer',
  late: 'the answer comes when nobody waits for it any more',
  twice: 'the service gets the request twice, and the caller the second answer',
  'rate limited': 'somebody in between answers 429 with Retry-After',
  'unavailable before': '503 instead of the request',
  'unavailable after': '503 instead of the answer',
  'still running': '504 instead of the answer',
  'a gateway': '502 with a page instead of the answer',
  'a page': '200 with a page that is no answer of the service',
} as const
export type Trouble = keyof typeof troubles

type Request = { method: string; path: string; headers: IncomingMessage['headers']; body: Buffer }
type Reply = { status: number; headers: IncomingMessage['headers']; body: Buffer }

export type Line = Awaited<ReturnType<typeof troubledLine>>

/**
 * `trouble` decides what happens to the n-th request, counted from 1. Streams of events are passed on
 * as they come; `cut` ends those that are open.
 */
export async function troubledLine(
  target: string,
  {
    trouble = () => undefined,
  }: {
    trouble?: (n: number, request: Request) => Trouble | undefined | Promise<Trouble | undefined>
  } = {},
) {
  const requests: Request[] = []
  let decide = trouble
  const server = createServer(async (asked, answer) => {
    answer.on('error', () => {})
    const given: Request = {
      method: asked.method ?? 'GET',
      path: asked.url ?? '/',
      headers: asked.headers,
      body: await buffer(asked).catch(() => Buffer.alloc(0)),
    }
    requests.push(given)
    const what = await decide(requests.length, given)
    if (given.path.includes('/events/stream') && !what) return stream(target, given, answer)
    await pass(target, given, answer, what).catch(() => answer.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  atEnd(async () => close())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Every request that came, also those that were not passed on. */
    requests,
    set(next: typeof trouble) {
      decide = next
    },
    /** Ends every connection that is open. */
    cut: () => server.closeAllConnections(),
    close,
  }
}

async function pass(
  target: string,
  given: Request,
  answer: ServerResponse,
  what: Trouble | undefined,
) {
  const says = (status: number, type: string, body: string, headers = {}) =>
    answer.writeHead(status, { 'content-type': type, ...headers }).end(body)
  const page = (status: number) => says(status, 'text/html', '<h1>Something in between</h1>')
  const problem = (status: number, code: string, headers = {}) =>
    says(
      status,
      'application/problem+json',
      JSON.stringify({ code, status, detail: `Says the line: ${code}.`, requestId: 'line' }),
      headers,
    )
  if (what === 'no connection') return answer.destroy()
  if (what === 'rate limited') return problem(429, 'rate_limited', { 'retry-after': '1' })
  if (what === 'unavailable before') return problem(503, 'unavailable', { 'retry-after': '0' })
  let reply = await ask(target, given)
  if (what === 'twice') reply = await ask(target, given)
  if (what === 'no answer') return answer.destroy()
  if (what === 'unavailable after') return problem(503, 'unavailable', { 'retry-after': '0' })
  if (what === 'still running') return problem(504, 'still_running', { 'retry-after': '0' })
  if (what === 'a gateway') return page(502)
  if (what === 'a page') return page(200)
  if (what === 'late') await once(answer, 'close')
  if (what === 'half a head') {
    answer.socket?.write('HTTP/1.1 200 OK\r\ncontent-ty', () => answer.destroy())
    return
  }
  const { connection: _, 'transfer-encoding': __, ...headers } = reply.headers
  answer.writeHead(reply.status, { ...headers, 'content-length': reply.body.length })
  if (what === 'an empty body' || what === 'half a body') {
    const part = what === 'half a body' ? Math.ceil(reply.body.length / 2) : 0
    answer.flushHeaders()
    answer.write(reply.body.subarray(0, part), () => answer.destroy())
    return
  }
  answer.end(reply.body)
}

function ask(target: string, given: Request): Promise<Reply> {
  return new Promise((resolve, reject) => {
    open(target, given)
      .on('response', (response) =>
        buffer(response).then(
          (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
          reject,
        ),
      )
      .on('error', reject)
      .end(given.body)
  })
}

function stream(target: string, given: Request, answer: ServerResponse) {
  const asking = open(target, given)
    .on('response', (response) => {
      answer.writeHead(response.statusCode ?? 0, response.headers)
      answer.flushHeaders()
      response.on('error', () => answer.destroy())
      response.pipe(answer)
    })
    .on('error', () => answer.destroy())
  answer.on('close', () => asking.destroy())
  asking.end(given.body)
}

const open = (target: string, { method, path, headers }: Request) =>
  request(new URL(path, target), { method, headers: { ...headers, host: new URL(target).host } })
