import { createServer, type Server } from 'node:http'
import { isLoopback } from '../../process/network/loopback.ts'
import type { Message, Store } from './mail-store.ts'
import { loopback } from './ports.ts'

// The page that shows the mail of the sink.

/**
 * Shows the mail that the sink accepted: `/` what accounts sent and `/?received` what others wrote to them, `/messages.json?to=ADDRESS`,
 * `/messages/ID.eml`.
 */
export function startMailPage(store: Store, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${loopback}`)
    const answer = (status: number, type: string, body: string | Buffer) =>
      response
        .writeHead(status, {
          ...{ 'content-type': type, 'x-content-type-options': 'nosniff' },
          'content-security-policy': policy,
        })
        .end(body)

    // A foreign page may point its own host name to this machine: its requests then name that host.
    if (!isLoopback(hostOf(request.headers.host)))
      return answer(421, 'text/plain; charset=utf-8', 'Open this page at 127.0.0.1 or localhost.\n')

    const to = url.searchParams.get('to')?.toLowerCase()
    const direction = url.searchParams.has('received') ? 'received' : 'sent'
    const wanted = () =>
      store
        .list()
        .filter((message) => !to || message.to.some((address) => address.toLowerCase() === to))

    if (url.pathname === '/')
      return answer(
        200,
        'text/html; charset=utf-8',
        page(
          wanted()
            .filter((message) => message.direction === direction)
            .reverse(),
          { to: to || undefined, direction },
        ),
      )
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

// The HTML of a letter lies in a frame with a sandbox, which inherits this: no script runs, and nothing is fetched.
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

const shown = 200

type Shown = { to: string | undefined; direction: Message['direction'] }
const titles = { sent: 'Mail that was sent', received: 'Mail that came to us' }
const notes = {
  sent: 'None of these letters left this machine; letters that an account sends through another mail server are not shown here.',
  received: 'Others have brought these letters to the mail server of this machine.',
}

const page = (messages: Message[], { to, direction }: Shown) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${titles[direction]}</title>
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
  nav a { margin-right: 1rem }
  nav a[aria-current] { font-weight: bold; text-decoration: none }
  iframe { width: 100%; height: 20rem; border: 1px solid light-dark(#ccc, #555); background: #fff; box-sizing: border-box }
  label { display: block }
  input, button { font: inherit; max-width: 100% }
  :focus-visible { outline: 2px solid light-dark(#0a58ca, #8ab4f8); outline-offset: 2px }
</style>
<main>
<h1>${titles[direction]}</h1>
<nav aria-label="Which mail">
${tab('/', 'Sent by us', direction === 'sent')}
${tab('/?received', 'Sent to us', direction === 'received')}
</nav>
<p>${counted(messages.length)}${to ? ` to ${escaped(to)}` : ''}, newest first. ${notes[direction]}</p>
<form>
${direction === 'received' ? '<input type="hidden" name="received" value="">' : ''}
<label for="to">Only letters to</label>
<input id="to" name="to" type="text" inputmode="email" autocomplete="off" value="${escaped(to ?? '')}" placeholder="sofia@azahar.example">
<button>Show</button>${to ? ` <a href="${direction === 'received' ? '/?received' : '/'}">Show all</a>` : ''}
</form>
${messages
  .slice(0, shown)
  .map((message, place) => article(message, place, direction))
  .join('\n')}
${messages.length > shown ? `<p>The newest ${shown} are shown. All are in <a href="/messages.json">messages.json</a>.</p>` : ''}
</main>
</html>
`

const counted = (count: number) => (count === 1 ? 'One letter' : `${count || 'No'} letters`)

// The letter's own date follows the business clock, which CLOCK may have set; its arrival follows this machine's
// clock.
function article(message: Message, place: number, direction: Message['direction']) {
  const subject = message.subject ?? '(no subject)'
  const dated = message.headers.find(({ name }) => name === 'date')?.value
  return `<article aria-labelledby="s${place}">
<h2 id="s${place}">${escaped(subject)}</h2>
<p class="about">${escaped(message.from)} to ${message.to.map((address) => recipient(address, direction)).join(', ')}<br>
${dated && !Number.isNaN(Date.parse(dated)) ? `dated ${moment(dated)}; ` : ''}arrived ${moment(message.acceptedAt)} by the clock of this machine.
<a href="/messages/${message.id}.eml">Source of “${escaped(subject)}” to ${escaped(message.to.join(', '))}</a></p>
${message.text ? `<pre>${escaped(message.text)}</pre>` : ''}
${message.html === null ? '' : framed(message.html, subject)}
${files(message)}
</article>`
}

const recipient = (address: string, direction: Message['direction']) =>
  `<a href="/?${direction === 'received' ? 'received&amp;' : ''}to=${encodeURIComponent(address)}">${escaped(address)}</a>`

const tab = (href: string, name: string, isCurrent: boolean) =>
  `<a href="${href}"${isCurrent ? ' aria-current="page"' : ''}>${name}</a>`

const framed = (html: string, subject: string) =>
  `<iframe sandbox title="HTML of “${escaped(subject)}”" srcdoc="${escaped(html)}"></iframe>`

function files({ attachments }: Message) {
  if (attachments.length === 0) return ''
  const named = attachments.map(
    ({ name, type, size }) =>
      `<li>${escaped(name || 'without a name')} <span class="about">${escaped(type)}${size === null ? '' : `, ${size} bytes`}</span></li>`,
  )
  return `<ul aria-label="Files">${named.join('')}</ul>`
}

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
