import { createServer, type Server } from 'node:http'
import { isLoopback } from '../../process/network/loopback.ts'
import type { Message, Store } from './mail-store.ts'
import { loopback } from './ports.ts'

/** Shows the mail that the sink accepted: `/`, `/messages.json?to=ADDRESS`, `/messages/ID.eml`. */
export function startMailPage(store: Store, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${loopback}`)
    const answer = (status: number, type: string, body: string | Buffer) =>
      response
        .writeHead(status, { 'content-type': type, 'x-content-type-options': 'nosniff' })
        .end(body)

    // A foreign page may point its own host name to this machine: its requests then name that host.
    if (!isLoopback(hostOf(request.headers.host)))
      return answer(421, 'text/plain; charset=utf-8', 'Open this page at 127.0.0.1 or localhost.\n')

    const to = url.searchParams.get('to')?.toLowerCase()
    const wanted = () =>
      store
        .list()
        .filter((message) => !to || message.to.some((address) => address.toLowerCase() === to))

    if (url.pathname === '/')
      return answer(200, 'text/html; charset=utf-8', page(wanted().reverse(), to || undefined))
    if (url.pathname === '/messages.json') {
      const messages = wanted().map(({ raw, ...message }) => message)
      return answer(200, 'application/json', JSON.stringify({ messages }))
    }
    const id = /^\/messages\/([\w.-]+)\.eml$/.exec(url.pathname)?.[1]
    const file = id ? store.file(id) : undefined
    if (file) return answer(200, 'text/plain; charset=utf-8', file)
    return answer(404, 'text/plain; charset=utf-8', 'There is nothing here.\n')
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, loopback, () => resolve(server))
  })
}

const hostOf = (header = '') =>
  URL.canParse(`http://${header}`) ? new URL(`http://${header}`).hostname : ''

const shown = 200

const page = (messages: Message[], to: string | undefined) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Mail that was sent</title>
<style>
  :root { color-scheme: light dark }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem }
  article { border-top: 1px solid light-dark(#ccc, #555); padding: .5rem 0 }
  h2 { font-size: 1.15rem; margin: .5rem 0 0; overflow-wrap: anywhere }
  p { overflow-wrap: anywhere }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit }
  .about { color: light-dark(#555, #aaa); font-size: .9rem; margin: 0 }
  a { color: light-dark(#0a58ca, #8ab4f8) }
  form { margin: 0 0 1rem }
  label { display: block }
  input, button { font: inherit; max-width: 100% }
  :focus-visible { outline: 2px solid light-dark(#0a58ca, #8ab4f8); outline-offset: 2px }
</style>
<main>
<h1>Mail that was sent</h1>
<p>${counted(messages.length)}${to ? ` to ${escaped(to)}` : ''}, newest first. None of these letters left this machine;
letters that an account sends through another mail server are not shown here.</p>
<form>
<label for="to">Only letters to</label>
<input id="to" name="to" type="text" inputmode="email" autocomplete="off" value="${escaped(to ?? '')}" placeholder="sofia@azahar.example">
<button>Show</button>${to ? ' <a href="/">Show all</a>' : ''}
</form>
${messages.slice(0, shown).map(article).join('\n')}
${messages.length > shown ? `<p>The newest ${shown} are shown. All are in <a href="/messages.json">messages.json</a>.</p>` : ''}
</main>
</html>
`

const counted = (count: number) => (count === 1 ? 'One letter' : `${count || 'No'} letters`)

// The letter's own date follows the business clock, which CLOCK may have set; its arrival follows this machine's
// clock.
function article(message: Message, place: number) {
  const subject = message.subject ?? '(no subject)'
  const dated = message.headers.find(({ name }) => name === 'date')?.value
  return `<article aria-labelledby="s${place}">
<h2 id="s${place}">${escaped(subject)}</h2>
<p class="about">${escaped(message.from)} to ${message.to.map(recipient).join(', ')}<br>
${dated && !Number.isNaN(Date.parse(dated)) ? `dated ${moment(dated)}; ` : ''}arrived ${moment(message.acceptedAt)} by the clock of this machine.
<a href="/messages/${message.id}.eml">Source of “${escaped(subject)}” to ${escaped(message.to.join(', '))}</a></p>
<pre>${escaped(message.text)}</pre>
</article>`
}

const recipient = (address: string) =>
  `<a href="/?to=${encodeURIComponent(address)}">${escaped(address)}</a>`

function moment(at: string) {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return escaped(at)
  const day = { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit' } as const
  const text = date.toLocaleString('en-GB', { ...day, minute: '2-digit', timeZone: 'UTC' })
  return `<time datetime="${date.toISOString()}">${text} UTC</time>`
}

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
