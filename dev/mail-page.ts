import { createServer, type Server } from 'node:http'
import { isLoopback } from '../network/loopback.ts'
import type { Message, Store } from './mail-store.ts'
import { loopback } from './ports.ts'

/** Shows what the sink took: `/`, `/messages.json?to=ADDRESS`, `/messages/ID.eml`. */
export function startMailPage(store: Store, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${loopback}`)
    const answer = (status: number, type: string, body: string | Buffer) =>
      response
        .writeHead(status, { 'content-type': type, 'x-content-type-options': 'nosniff' })
        .end(body)

    // A page of elsewhere may have its name lead here: its requests name that host.
    if (!isLoopback(hostOf(request.headers.host)))
      return answer(421, 'text/plain; charset=utf-8', 'Ask for it by 127.0.0.1 or localhost.\n')

    const to = url.searchParams.get('to')?.toLowerCase()
    const wanted = () =>
      store
        .list()
        .filter((message) => !to || message.to.some((address) => address.toLowerCase() === to))

    if (url.pathname === '/')
      return answer(200, 'text/html; charset=utf-8', page(wanted().reverse()))
    if (url.pathname === '/messages.json') {
      const messages = wanted().map(({ raw, ...message }) => message)
      return answer(200, 'application/json', JSON.stringify({ messages }))
    }
    const id = /^\/messages\/([\w.-]+)\.eml$/.exec(url.pathname)?.[1]
    const file = id ? store.file(id) : undefined
    if (file) return answer(200, 'text/plain; charset=utf-8', file)
    return answer(404, 'text/plain; charset=utf-8', 'Nothing is here.\n')
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, loopback, () => resolve(server))
  })
}

const hostOf = (header = '') =>
  URL.canParse(`http://${header}`) ? new URL(`http://${header}`).hostname : ''

const page = (messages: Message[]) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Mail that was sent</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem }
  article { border-top: 1px solid #ccc; padding: .5rem 0 }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit }
  small { color: #555 }
</style>
<h1>Mail that was sent</h1>
<p>${messages.length} messages, the newest first. None of them left this machine.</p>
${messages.map(article).join('\n')}
</html>
`

const article = (message: Message) => `<article>
<h2>${escaped(message.subject ?? '(no subject)')}</h2>
<small>${escaped(message.from)} to ${escaped(message.to.join(', '))}, ${message.acceptedAt},
<a href="/messages/${message.id}.eml">source</a></small>
<pre>${escaped(message.text)}</pre>
</article>`

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
