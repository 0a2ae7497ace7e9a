import { connect } from 'node:net'
import { eventually } from './service.ts'

export type Raw = ReturnType<typeof openRaw>

/** A request on a connection of its own, its body sent piece by piece or not at all. */
export function openRaw(
  origin: string,
  method: string,
  path: string,
  headers: Record<string, string | number>,
) {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  let answer = ''
  let closed = false
  socket.on('data', (piece) => {
    answer += piece.toString('latin1')
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    closed = true
  })
  const lines = Object.entries({ Host: hostname, ...headers }).map(([n, v]) => `${n}: ${v}\r\n`)
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
  return {
    write: (piece: string | Buffer) => socket.write(piece),
    destroy: () => socket.destroy(),
    closed: () => closed,
    /** How many bytes have not been sent yet. */
    left: () => socket.writableLength,
    answer: () => answer,
    status: () => /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1],
    /** The status, code and head of the answer, once it is there. */
    async answered(ms = 20_000) {
      const whole = await eventually(
        async () => answer,
        (text) => /\r\n\r\n/.test(text) && (closed || text.length > 200),
        ms,
      )
      const [head = '', body = ''] = whole.split('\r\n\r\n')
      const code = /"code":"(\w+)"/.exec(body)?.[1]
      return { status: Number(head.slice(9, 12)), code, head }
    },
  }
}
