import { randomUUID } from 'node:crypto'
import { createServer, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type Koa from 'koa'
import type { Log } from '../../process/telemetry/log.ts'
import { counted } from '../../process/telemetry/metrics.ts'
import { ApiError, problemOf } from './errors.ts'

// A load balancer, or a client, keeps a connection for a minute as a rule. If the server ended it first, a call that is on its way
// would be lost, and answered 502.
const idleMs = 65_000

/**
 * The HTTP server of an app. Headers may be longer than Node's 16 KiB, so that the longest possible query, several
 * texts of 4,000 characters in percent-encoding, reaches the checks of its route. A request that Node cannot read as
 * HTTP is refused in the same form as everything else.
 */
export function createHttpServer(app: Koa, log: Log): Server {
  const serve = app.callback()
  const server = createServer({ maxHeaderSize: 128 * 1024, keepAliveTimeout: idleMs }, serve)
  // A client that asks before it sends its body (Expect: 100-continue) is answered by the code that reads the body,
  // once it may.
  server.on('checkContinue', serve)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Nothing is written into an answer that has begun; Node itself checks the same member.
    const { _httpMessage: answer } = socket as { _httpMessage?: ServerResponse }
    if (error.code === 'ECONNRESET' || !socket.writable || answer?.headersSent)
      return void socket.destroy()
    refuse(socket, refusalOf(error.code), log)
  })
  return server
}

function refusalOf(code: string | undefined): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new ApiError('headers_too_large', 'The headers and the address are longer than 128 KiB.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ApiError('request_timeout', 'The request was not completed in time.')
  return new ApiError('malformed_request', 'The request is not valid HTTP.')
}

// There is no request to answer through, so the answer is written by hand, and the connection is closed.
function refuse(socket: Duplex, refusal: ApiError, log: Log) {
  const requestId = randomUUID()
  const body = JSON.stringify(problemOf(refusal, '/', requestId))
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
  counted('refusals', { code: refusal.code })
  log.info({ requestId, status: refusal.status, code: refusal.code }, 'refused')
}
