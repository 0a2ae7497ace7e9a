import { connect, createServer, type Socket } from 'node:net'
import { freePort } from '../../dev/stack/ports.ts'

/** A line to a server on which each answer takes `ms` longer; while it is frozen, nothing passes. */
export async function slowLine(address: string, ms: number, at?: number) {
  const [host = '', portOf = ''] = address.split(':')
  const sockets = new Set<Socket>()
  let frozen = false
  let said = 0
  let held: (() => void)[] = []
  const pass = (work: () => void) => {
    if (frozen) held.push(work)
    else work()
  }
  const server = createServer((socket) => {
    const there = connect(Number(portOf), host)
    for (const one of [socket, there]) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        socket.destroy()
        there.destroy()
      })
    }
    socket.on('data', (bytes) => {
      said++
      pass(() => there.write(bytes))
    })
    there.on('data', (bytes) => pass(() => setTimeout(() => socket.write(bytes), ms)))
  })
  const port = at ?? (await freePort())
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    port,
    address: `127.0.0.1:${port}`,
    /** How many pieces have come for the server. */
    said: () => said,
    freeze() {
      frozen = true
    },
    thaw() {
      frozen = false
      for (const work of held) work()
      held = []
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
