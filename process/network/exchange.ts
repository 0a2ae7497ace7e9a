import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { resolvePublic } from './public-host.ts'

// One HTTP request to an address that somebody gave us. No redirect is followed, no connection is kept, and only a limited part
// of the answer is read.

const lookUpWithinMs = 5000

/**
 * The outcome of a request. `reached` says whether the server may have read the request; if false, nothing was sent. `problem`
 * is a safe code, null if there is an answer.
 */
export type Exchange =
  | { problem: null; status: number; body: string; headers: IncomingHttpHeaders }
  | { problem: string; reached: boolean }

export type Asking = {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: string
  timeoutMs: number
  /** How many bytes of the answer are read; the rest is not waited for. */
  answerLimit: number
  /** Refuses addresses of this machine, of private networks, and all others outside the public internet. */
  publicOnly?: boolean
}

export async function exchange(asking: Asking): Promise<Exchange> {
  const url = new URL(asking.url)
  let resolve: LookupFunction | undefined
  if (asking.publicOnly) {
    const checked = await resolvePublic(url.hostname, {
      withinMs: Math.min(asking.timeoutMs, lookUpWithinMs),
    })
    if (typeof checked === 'string') return { problem: checked, reached: false }
    // The connection goes to the address that was checked, even if the name resolves differently a moment later.
    resolve = (_host, options, found) =>
      options.all ? found(null, [checked]) : found(null, checked.address, checked.family)
  }
  return send(asking, url, resolve)
}

function send(asking: Asking, url: URL, resolve: LookupFunction | undefined): Promise<Exchange> {
  const { method, headers, body, timeoutMs, answerLimit } = asking
  const secure = url.protocol === 'https:'
  return new Promise((settle) => {
    let reached = false
    let timer: NodeJS.Timeout | undefined
    const end = (request: ClientRequest, outcome: Exchange) => {
      clearTimeout(timer)
      settle(outcome)
      request.destroy()
    }
    const request = (secure ? httpsRequest : httpRequest)(url, {
      method,
      agent: false,
      headers: {
        ...headers,
        ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
      },
      ...(resolve && { lookup: resolve }),
    })
    request.on('socket', (socket) =>
      socket.once(secure ? 'secureConnect' : 'connect', () => {
        reached = true
      }),
    )
    request.on('error', (error) => end(request, { problem: codeOf(error), reached }))
    request.on('response', (response) => {
      const status = response.statusCode ?? 0
      const chunks: Buffer[] = []
      let size = 0
      const answered = () =>
        end(request, {
          problem: null,
          status,
          body: Buffer.concat(chunks).toString('utf8'),
          headers: response.headers,
        })
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > answerLimit) return answered()
        chunks.push(chunk)
      })
      response.on('end', answered)
      response.on('error', (error) => end(request, { problem: codeOf(error), reached }))
      response.on('close', () => end(request, { problem: 'broken_answer', reached }))
    })
    timer = setTimeout(() => end(request, { problem: 'timeout', reached }), timeoutMs)
    request.end(body)
  })
}

function codeOf(error: Error): string {
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'unresolved'
  if (/CERT|SSL|TLS|SELF_SIGNED/.test(code)) return 'tls'
  return code === 'ECONNREFUSED' || code === 'EHOSTUNREACH' ? 'unreachable' : 'connection_lost'
}
