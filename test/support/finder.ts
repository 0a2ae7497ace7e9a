import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

// A people finder over HTTP, as docs/finder.md describes one: a list of people, behind a signature.

export type Answer = { status?: number; body: unknown; delayMs?: number }
export type Asked = { path: string; body: Record<string, unknown> }

/**
 * A finder on a free port that knows `people`. `script` answers a question otherwise; `asked` is what it was asked so far,
 * signatures checked.
 */
export async function startFinder(people: object[]) {
  const secret = `whsec_${randomBytes(24).toString('base64')}`
  const webhook = new Webhook(secret)
  const asked: Asked[] = []
  const bad: string[] = []
  let script: (asked: Asked) => Answer | undefined = () => undefined

  const known = ({ path, body }: Asked): Answer => {
    if (path === '/search')
      return {
        body: {
          filters: body['filters'] ?? { sector: 'food', said: body['words'] },
          count: people.length,
        },
      }
    const from = Number(body['cursor'] ?? 0)
    const to = from + Number(body['limit'])
    return {
      body: { people: people.slice(from, to), cursor: to < people.length ? String(to) : null },
    }
  }

  const server = createServer(async (request, response) => {
    const sent = await text(request)
    const { status, body, delayMs } = answerTo(request, sent)
    if (delayMs) await new Promise((resolve) => setTimeout(resolve, delayMs))
    response.writeHead(status ?? 200, { 'content-type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/finder`

  return {
    url,
    secret,
    asked,
    bad,
    script: (next: typeof script) => {
      script = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }

  function answerTo(request: IncomingMessage, sent: string): Answer {
    try {
      webhook.verify(sent, request.headers as Record<string, string>)
    } catch {
      bad.push(sent)
      return { status: 401, body: { detail: 'The signature is not one.' } }
    }
    const question = { path: (request.url ?? '').replace('/finder', ''), body: JSON.parse(sent) }
    asked.push(question)
    return script(question) ?? known(question)
  }
}
