import { Agent, request } from 'node:http'
import type { Round } from './rounds.ts'

// Calls over HTTP on kept connections, as cheaply as Node makes them: the load must not be what is measured.

export type Answer = { status: number; text: string }

/** A client of one origin with so many connections. */
export function openClient(origin: string, connections: number, token = '') {
  const { hostname, port } = new URL(origin)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const call = (method: string, path: string, body?: unknown, key?: string) =>
    new Promise<Answer>((resolve, reject) => {
      const sent = body === undefined ? undefined : JSON.stringify(body)
      const headers = {
        authorization: `Bearer ${token}`,
        ...(sent && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(sent),
        }),
        ...(key && { 'idempotency-key': key }),
      }
      const asked = request({ agent, hostname, port, method, path, headers }, (answer) => {
        const pieces: Buffer[] = []
        answer.on('data', (piece: Buffer) => pieces.push(piece))
        answer.on('error', reject)
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            text: Buffer.concat(pieces).toString('utf8'),
          }),
        )
      })
      // A server closes a connection that has rested, and may do so as the next call sets out on it.
      asked.on('error', (error: NodeJS.ErrnoException) =>
        asked.reusedSocket && error.code === 'ECONNRESET'
          ? resolve(call(method, path, body, key))
          : reject(error),
      )
      asked.end(sent)
    })
  return { call, close: () => agent.destroy() }
}

export type HttpClient = ReturnType<typeof openClient>

/** How much is carried out: a number of calls, or as many as fit into a time. */
export type Amount = { calls: number } | { ms: number }

/** Carries out calls, so many in parallel, each started when an earlier one has ended. @throws where one is refused. */
export async function load(
  amount: Amount,
  parallel: number,
  call: (i: number) => Promise<Answer>,
): Promise<Round> {
  const times: number[] = []
  const from = performance.now()
  let next = 0
  const goesOn = () =>
    'calls' in amount ? next < amount.calls : performance.now() - from < amount.ms
  const one = async () => {
    while (goesOn()) {
      const begun = performance.now()
      const { status, text } = await call(next++)
      times.push(performance.now() - begun)
      if (status !== 200) throw new Error(`${status} ${text}`)
    }
  }
  await Promise.all(Array.from({ length: parallel }, one))
  return { perSecond: (times.length / (performance.now() - from)) * 1000, times }
}
