import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export const loopback = '127.0.0.1'

// For a server whose free port is taken before it listens.
const mostTries = 3

/** Whether a server could listen there now. */
function isFree(port: number, host = loopback): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, host, () => probe.close(() => resolve(true)))
  })
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, loopback, () => {
      const address = probe.address()
      const port = typeof address === 'object' && address ? address.port : 0
      probe.close(() => resolve(port))
    })
  })
}

/** The first free one of these ports, or any free one. */
export async function firstFree(...wanted: (number | undefined)[]): Promise<number> {
  for (const port of wanted) if (port && (await isFree(port))) return port
  return freePort()
}

/**
 * Starts a server on the wanted port if it is free, and otherwise on any free one. Another program may take a free port before the
 * server listens on it; the server then gets another one.
 */
export async function onFreePort<T>(
  start: (port: number) => Promise<T>,
  wanted?: number,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await start(await firstFree(tries === 1 ? wanted : undefined))
    } catch (error) {
      if (tries >= mostTries || !/address already in use/i.test(String(error))) throw error
    }
  }
}

/** @throws Error naming the variable that moves the port, when another program listens on it. */
export async function assertFree(port: number, host: string, variable: string, what: string) {
  if (await isFree(port, host)) return
  throw new Error(
    `Port ${port} for ${what} is taken: stop the program that listens there, or set ${variable}.`,
  )
}

/** Resolves once something accepts connections there. */
export async function waitForPort(port: number, { withinMs = 30_000, signal }: Wait = {}) {
  const deadline = Date.now() + withinMs
  while (!(await accepts(port))) {
    signal?.throwIfAborted()
    if (Date.now() > deadline) throw new Error(`Nothing listens on port ${port}.`)
    await sleep(50)
  }
}

type Wait = { withinMs?: number; signal?: AbortSignal }

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, loopback)
    const answer = (result: boolean) => {
      socket.destroy()
      resolve(result)
    }
    socket.once('connect', () => answer(true))
    socket.once('error', () => answer(false))
    socket.setTimeout(1_000, () => answer(false))
  })
}
