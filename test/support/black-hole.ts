import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * A way to a server that can swallow everything, as a firewall does that has forgotten a connection: nothing arrives any more, and
 * neither side is told. Connections that come later get through again.
 */
export async function openWay(to: string) {
  const { hostname, port } = new URL(to)
  let swallowed = 0
  const pairs = new Set<[Socket, Socket]>()
  const server = createServer((socket) => {
    const onward = connect(Number(port), hostname)
    const pair: [Socket, Socket] = [socket, onward]
    pairs.add(pair)
    for (const [one, other] of [pair, pair.toReversed()] as [Socket, Socket][]) {
      one.on('error', () => other.destroy())
      one.on('close', () => {
        other.destroy()
        pairs.delete(pair)
      })
      one.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(to)
  url.port = String((server.address() as AddressInfo).port)
  return {
    /** The same server by this way. */
    url: url.href,
    /** How many connections there are now. */
    open: () => pairs.size,
    /** Swallows what goes over the connections that are open now. */
    swallow() {
      for (const [one, other] of pairs) {
        one.unpipe(other)
        other.unpipe(one)
        // Read and thrown away: each side goes on as if all had arrived.
        one.resume()
        other.resume()
        swallowed++
      }
      return swallowed
    },
    async close() {
      for (const [socket] of pairs) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
