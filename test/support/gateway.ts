import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { atEnd } from './hooks.ts'

/**
 * A server that accepts every connection and says nothing, until it is opened: then it hangs up, and new ones are forwarded to
 * another port. `hangsUpAfterMs`: it does not wait for the other side to lose patience.
 */
export async function startGateway({ hangsUpAfterMs }: { hangsUpAfterMs?: number } = {}) {
  let behind: number | undefined
  let open = 0
  let most = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    open++
    // Connections that close at the same moment are noticed a little later.
    setTimeout(() => {
      most = Math.max(most, open)
    }, 100)
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      open--
      sockets.delete(socket)
    })
    if (behind === undefined) {
      if (hangsUpAfterMs !== undefined) setTimeout(() => socket.destroy(), hangsUpAfterMs).unref()
      return void socket.resume()
    }
    const onward = connect(behind, '127.0.0.1')
    onward.on('error', () => socket.destroy())
    onward.on('close', () => socket.destroy())
    socket.on('close', () => onward.destroy())
    socket.pipe(onward).pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  atEnd(close)
  return {
    port: (server.address() as AddressInfo).port,
    /** The most connections there were at once. */
    most: () => most,
    openTo(port: number) {
      behind = port
      for (const socket of sockets) socket.destroy()
    },
    close,
  }
}
