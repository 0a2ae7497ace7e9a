import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { atEnd } from './hooks.ts'

/**
 * A line to a server on this machine, which breaks when it is told to: after so many bytes in one direction, counted from then
 * on, the connection on which the last of them went is gone, without a word to either side.
 */
export async function cutLine(port: number) {
  const left = { up: Number.POSITIVE_INFINITY, down: Number.POSITIVE_INFINITY }
  let cuts = 0
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const target = connect(port, '127.0.0.1')
    const end = () => {
      client.destroy()
      target.destroy()
    }
    for (const [from, to, way] of [
      [client, target, 'up'],
      [target, client, 'down'],
    ] as const) {
      open.add(from)
      from.on('error', end).on('close', () => {
        open.delete(from)
        to.end()
      })
      from.on('data', (data) => {
        if (data.length <= left[way]) {
          left[way] -= data.length
          if (!to.write(data)) {
            from.pause()
            to.once('drain', () => from.resume())
          }
          return
        }
        to.write(data.subarray(0, left[way]), end)
        left[way] = Number.POSITIVE_INFINITY
        cuts++
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    /** Breaks after so many bytes more to the server (`up`) or from it (`down`). */
    cutAfter(way: 'up' | 'down', bytes: number) {
      left[way] = bytes
    },
    /** How often it has broken. */
    cuts: () => cuts,
  }
}
