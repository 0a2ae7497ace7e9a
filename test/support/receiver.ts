import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { atEnd } from './hooks.ts'

export type Got = { headers: IncomingHttpHeaders; text: string; path: string }

/**
 * A server that receives webhooks, on a free port. `answers` are what it answers next, the last one repeatedly:
 * a status, or 'hang' for none. It takes `delayMs` for each.
 */
export async function startReceiver(answers: (number | 'hang')[] = [204], { delayMs = 0 } = {}) {
  const got: Got[] = []
  let inHand = 0
  let most = 0
  const server = createServer(async (request, response) => {
    most = Math.max(most, ++inHand)
    response.on('close', () => inHand--)
    let text = ''
    for await (const chunk of request) text += chunk
    got.push({ headers: request.headers, text, path: request.url ?? '' })
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    if (answer === 'hang') return
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
    response.writeHead(answer as number, answer === 302 ? { location: '/elsewhere' } : {})
    response.end('x'.repeat(100_000))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  atEnd(close)
  return {
    url: `http://127.0.0.1:${port}/events`,
    port,
    got,
    /** The most simultaneous requests. */
    most: () => most,
    close,
    /** What a delivery says, its signature checked. */
    read: (delivery: Got | undefined, secret: string) =>
      new Webhook(secret).verify(
        delivery?.text ?? '',
        delivery?.headers as Record<string, string>,
      ) as { type: string; timestamp: string; data: Record<string, unknown> },
  }
}
