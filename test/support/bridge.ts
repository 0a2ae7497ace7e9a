import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import type { Db } from '../../db/database.ts'
import { newId } from '../../db/ids.ts'
import { sealedFor } from './given.ts'
import { atEnd } from './hooks.ts'

// A bridge as docs/bridges.md describes one: it accepts a message once by its id, knows what it accepted, and signs its events.

export const bridgeSecret = `whsec_${Buffer.from('a secret of the tests of 32 byte').toString('base64')}`

export type Taken = {
  id: string
  to: string
  text: string
  inReplyTo: string | null
  files?: { name: string; type: string; content: string }[]
}
/** What it does with the next request of a kind: answers a status, hangs up before or after taking the message, says nonsense. */
type Twist = number | { status: number; body: unknown } | 'drop-before' | 'drop-after' | 'nonsense'

export type TestBridge = Awaited<ReturnType<typeof startBridge>>

export async function startBridge() {
  const taken: Taken[] = []
  const posts: string[] = []
  const twists: { post: Twist[]; get: Twist[]; health: number } = { post: [], get: [], health: 200 }
  const webhook = new Webhook(bridgeSecret)

  async function answer(request: IncomingMessage, response: ServerResponse) {
    let text = ''
    for await (const chunk of request) text += chunk
    const say = (status: number, body: unknown = {}) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    try {
      webhook.verify(text, request.headers as Record<string, string>, { jsonParse: false })
    } catch {
      return say(401)
    }
    const path = request.url ?? ''
    if (path === '/base/health') return say(twists.health)
    if (request.method === 'POST' && path === '/base/messages') {
      const message = JSON.parse(text) as Taken
      posts.push(message.id)
      const twist = twists.post.shift()
      if (typeof twist === 'number') return say(twist)
      if (typeof twist === 'object') return say(twist.status, twist.body)
      if (twist === 'drop-before') return request.socket.destroy()
      if (!taken.some(({ id }) => id === message.id)) taken.push(message)
      if (twist === 'drop-after') return request.socket.destroy()
      if (twist === 'nonsense') return response.end('<html>')
      return say(201, { id: `b-${message.id}` })
    }
    const asked = /^\/base\/messages\/(.+)$/.exec(path)?.[1]
    if (request.method !== 'GET' || !asked) return say(404)
    const twist = twists.get.shift()
    if (typeof twist === 'number') return say(twist)
    if (twist !== undefined) return request.socket.destroy()
    const known = taken.find(({ id }) => id === decodeURIComponent(asked))
    return known ? say(200, { id: `b-${known.id}`, state: 'sent' }) : say(404)
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const stop = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  const restart = () => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  atEnd(stop)

  return {
    url: `http://127.0.0.1:${port}/base/`,
    /** The messages it accepted, each once, and the ids of all that were posted. */
    taken,
    posts,
    twists,
    stop,
    restart,
  }
}

/** Sends an event of a bridge to the service; `but` replaces headers of the signed request. */
export async function tell(
  origin: string,
  connection: string,
  event: { type: string; data: unknown },
  { id = randomUUID(), at = new Date(), but = {}, secret = bridgeSecret, body = '' } = {},
): Promise<{ status: number; text: string }> {
  const text = body || JSON.stringify({ ...event, timestamp: at.toISOString() })
  const response = await fetch(`${origin}/bridge/${connection}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, text),
      ...but,
    },
    body: text,
  })
  return { status: response.status, text: await response.text() }
}

/** A messenger account of a workspace, reached through a bridge. */
export async function givenMessenger(
  db: Db,
  { id: workspace, member }: { id: string; member: string },
  bridge: { url: string } | null,
): Promise<string> {
  const id = newId('con')
  await db
    .insertInto('connections')
    .values({
      id,
      workspace,
      kind: 'messenger',
      name: 'Messenger',
      account: '+4930123456',
      member,
      limitDay: 100,
      limitWeek: 500,
      gapSeconds: 0,
      bridge: bridge && JSON.stringify({ url: bridge.url }),
      secrets: bridge && sealedFor(id, { bridge: bridgeSecret }),
    })
    .execute()
  return id
}
