import { request } from 'node:http'
import { type Duplex, duplexPair } from 'node:stream'
import type Koa from 'koa'
import type { Log } from '../../process/telemetry/log.ts'
import { createHttpServer } from '../http/http-server.ts'
import { prefix } from '../http/prefix.ts'

// Calls of tools to the API of this process. They are HTTP like all others, over a pair of streams in memory in place of a network:
// so a tool can do what its token can do by a call, passes every check of one, and nothing stands twice.

export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below /api/v1, with its query. */
  path: string
  body?: unknown
  key?: string | undefined
}
// biome-ignore lint/suspicious/noExplicitAny: the answers of many routes; their shapes were checked where they were made.
export type Answer = { status: number; body: any }
export type Inside = (authorization: string, call: Call, signal: AbortSignal) => Promise<Answer>

export function openInside(app: Koa, log: Log): Inside {
  const server = createHttpServer(app, log)
  return (authorization, { method, path, body, key }, signal) =>
    new Promise((resolve, reject) => {
      const [ours, theirs] = duplexPair()
      const json = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
      const asked = request({
        createConnection: () => asSocket(ours),
        method,
        path: `${prefix}${path}`,
        signal,
        headers: {
          host: 'inside',
          connection: 'close',
          authorization,
          ...(json && { 'content-type': 'application/json', 'content-length': json.length }),
          ...(key && { 'idempotency-key': key }),
        },
      })
      const end = () => {
        ours.destroy()
        theirs.destroy()
      }
      asked.on('error', (error) => {
        end()
        reject(error)
      })
      asked.on('response', (answer) => {
        const pieces: Buffer[] = []
        answer.on('data', (piece: Buffer) => pieces.push(piece))
        answer.on('error', reject)
        answer.on('end', () => {
          end()
          const text = Buffer.concat(pieces).toString('utf8')
          try {
            resolve({ status: answer.statusCode ?? 500, body: JSON.parse(text) })
          } catch (error) {
            reject(error)
          }
        })
      })
      server.emit('connection', asSocket(theirs))
      asked.end(json)
    })
}

/** Node's HTTP takes any stream, and asks a socket for a few things more. */
const asSocket = (stream: Duplex) =>
  Object.assign(stream, {
    setTimeout: () => stream,
    setNoDelay: () => stream,
    setKeepAlive: () => stream,
    ref: () => stream,
    unref: () => stream,
  })
