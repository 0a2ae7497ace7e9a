import { equal, rejects } from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { loopback, onFreePort } from '../../dev/stack/ports.ts'

async function listening(port: number): Promise<Server> {
  const server = createServer().listen(port, loopback)
  await once(server, 'listening')
  return server
}

describe('a server on a free port', () => {
  const servers: Server[] = []
  afterEach(() => {
    for (const server of servers.splice(0)) server.close()
  })

  it('gets another one if a program takes the port before the server listens', async () => {
    const ports: number[] = []
    const server = await onFreePort(async (port) => {
      ports.push(port)
      if (ports.length === 1) servers.push(await listening(port))
      return listening(port)
    })
    servers.push(server)
    equal(ports.length, 2)
    equal((server.address() as { port: number }).port, ports[1])
  })

  it('is started once where something else is wrong', async () => {
    let starts = 0
    const start = async () => {
      starts++
      throw new Error('The disk is full.')
    }
    await rejects(onFreePort(start), /disk is full/)
    equal(starts, 1)
  })
})
