import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config, Stack } from '../../process/config.ts'

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
async function assertFree(port: number, host: string, variable: string, what: string) {
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

// The ports on which the parts of `npm start` listen: those of the variables or, for mail, otherwise those of the last start.

export type Ports = Record<'api' | 'temporal' | 'ui' | 'smtp' | 'http' | 'imap', number>

/** The ports that the next start reuses, since clients and bookmarks may know them. */
export function keptPorts(last: Stack): Stack {
  const names = ['POSTGRES_PORT', 'MAIL_SMTP_PORT', 'MAIL_HTTP_PORT', 'MAIL_IMAP_PORT']
  return Object.fromEntries(Object.entries(last).filter(([name]) => names.includes(name)))
}

/** @throws Error naming the variable of a port on which another program listens. */
export async function choosePorts(config: Config, last: Stack): Promise<Ports> {
  const { temporal, mail, host } = config
  const ports: Ports = {
    api: config.port || (await freePort()),
    temporal: temporal.port || (await freePort()),
    ui: temporal.uiPort || (await freePort()),
    smtp: await mailPort(mail.smtp, last['MAIL_SMTP_PORT'], 3025),
    http: await mailPort(mail.http, last['MAIL_HTTP_PORT'], 8025),
    imap: await mailPort(mail.imap, last['MAIL_IMAP_PORT'], 3143),
  }
  await assertFree(ports.api, host, 'PORT', 'the API')
  if (!temporal.external) {
    await assertFree(ports.temporal, loopback, 'TEMPORAL_PORT', 'Temporal')
    await assertFree(ports.ui, loopback, 'TEMPORAL_UI_PORT', "Temporal's Web UI")
  }
  await assertFree(ports.smtp, loopback, 'MAIL_SMTP_PORT', 'the mail sink')
  await assertFree(ports.http, loopback, 'MAIL_HTTP_PORT', 'the mail page')
  await assertFree(ports.imap, loopback, 'MAIL_IMAP_PORT', 'mailboxes')
  return ports
}

// Nobody needs to know these ports: unless a variable sets one, any free port serves where the usual one is taken.
async function mailPort(wished: number | undefined, last: string | undefined, usual: number) {
  if (wished !== undefined) return wished || freePort()
  return firstFree(Number(last) || undefined, usual)
}
