import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { atEnd } from './hooks.ts'

/**
 * A line to an IMAP server on this machine on which APPEND is refused as long as `refusal` says so: `NO …` after the command, or
 * a broken line. `rewrite` changes what the server says.
 */
export async function refusingMailbox(port: number, rewrite?: (said: string) => string) {
  const told = { refusal: '' as string | 'cut', appends: 0 }
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const target = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const) {
      open.add(one)
      one
        .on('error', () => other.destroy())
        .on('close', () => {
          open.delete(one)
          other.destroy()
        })
    }
    let left = 0
    client.on('data', (data) => {
      const rest = data.subarray(Math.min(left, data.length))
      left -= data.length - rest.length
      if (rest.length === 0) return
      const [line, tag, bytes, isAtOnce] =
        /^(\S+) APPEND [^\r\n]*\{(\d+)(\+?)\}\r\n/i.exec(rest.toString('latin1')) ?? []
      if (line) told.appends++
      if (!line || told.refusal === '') target.write(rest)
      else if (told.refusal === 'cut') client.destroy()
      else {
        if (isAtOnce) left = Math.max(0, Number(bytes) + 2 - (rest.length - line.length))
        client.write(`${tag} ${told.refusal}\r\n`)
      }
    })
    target.on('data', (data) => {
      client.write(rewrite ? Buffer.from(rewrite(data.toString('latin1')), 'latin1') : data)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, told }
}
