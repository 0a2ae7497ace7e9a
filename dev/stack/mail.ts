import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { isLoopback } from '../../process/network/loopback.ts'
import { type Message, openStore, type Store } from './mail-store.ts'
import { loopback } from './ports.ts'

/** What a scripted server answers instead of accepting the step: a refusal, or nothing at all. */
type Answer = { code: number; text?: string } | 'drop' | undefined

/**
 * Misbehaviour for tests. Each hook may wait before it answers. There are two after the final dot: a message that
 * `onData` refuses or drops has not been accepted; one that `onAccepted` drops has.
 */
export type MailScript = {
  onAuth?: (user: string) => Answer | Promise<Answer>
  onRcpt?: (address: string) => Answer | Promise<Answer>
  onData?: (envelope: Envelope, raw: Buffer) => Answer | Promise<Answer>
  onAccepted?: (message: Message) => Taken | Promise<Taken>
}

/** What a server does that has accepted a message: it hangs up, or says so in these words. */
type Taken = 'drop' | { text: string } | undefined

export type Envelope = { from: string; to: string[] }

export type MailSink = {
  smtpPort: number
  httpUrl: string | undefined
  store: Store
  /** Every accepted message, oldest first. */
  messages: () => Message[]
  script: (next: MailScript) => void
  stop: () => Promise<void>
  /** Listens on the same port again after `stop`. */
  restart: () => Promise<void>
}

type MailOptions = { folder: string; smtpPort?: number; httpPort?: number }

/** An SMTP server on the loopback address that keeps the mail it accepts and forwards nothing. */
export async function startMailSink({
  folder,
  smtpPort = 0,
  httpPort,
}: MailOptions): Promise<MailSink> {
  const store = await openStore(folder)
  let script: MailScript = {}
  const listen = (port: number) => startSmtp(store, () => script, port)

  let smtp = await listen(smtpPort)
  const port = portOf(smtp)
  const page = httpPort === undefined ? undefined : await startMailPage(store, httpPort)

  return {
    smtpPort: port,
    httpUrl: page ? `http://${loopback}:${portOf({ server: page })}` : undefined,
    store,
    messages: store.list,
    script(next) {
      script = next
    },
    async stop() {
      await stopSmtp(smtp)
      if (page?.listening) await closePage(page)
    },
    async restart() {
      smtp = await listen(port)
      if (page) page.listen(httpPort, loopback)
    },
  }
}

async function startSmtp(
  store: Store,
  script: () => MailScript,
  port: number,
): Promise<SMTPServer> {
  const server: SMTPServer = new SMTPServer({
    banner: 'Postroom mail sink',
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    // It accepts mail for tests and demos: host names are never looked up.
    disableReverseLookup: true,
    onAuth(auth, session, callback) {
      const user = auth.username ?? ''
      take(
        session,
        () => script().onAuth?.(user),
        callback,
        () => callback(null, { user }),
      )
    },
    onRcptTo({ address }, session, callback) {
      take(
        session,
        () => script().onRcpt?.(address),
        callback,
        () => callback(),
      )
    },
    onData(stream, session, callback) {
      receive(stream, session).catch((error) => callback(error))

      async function receive(body: SMTPServerDataStream, from: SMTPServerSession) {
        const chunks: Buffer[] = []
        for await (const chunk of body) chunks.push(chunk as Buffer)
        const [envelope, raw] = [envelopeOf(from), Buffer.concat(chunks)]
        await take(
          from,
          () => script().onData?.(envelope, raw),
          callback,
          async () => {
            const message = await store.add(envelope, raw)
            const then = await script().onAccepted?.(message)
            if (then === 'drop') return hangUp(server, from)
            callback(null, then?.text ?? `OK: ${message.id}`)
          },
        )
      }
    },
  })

  async function take(
    session: SMTPServerSession,
    ask: () => Answer | Promise<Answer>,
    refuse: (error: Error) => void,
    go: () => unknown,
  ) {
    try {
      const answer = await ask()
      if (answer === 'drop') return hangUp(server, session)
      if (!answer) return await go()
      const { code, text = 'refused by the script' } = answer
      refuse(Object.assign(new Error(text), { responseCode: code }))
    } catch (error) {
      refuse(error as Error)
    }
  }

  server.on('error', () => {})
  server.listen(port, loopback)
  await once(server.server, 'listening')
  return server
}

// The library has no call for this: closes the socket of the session's connection without an answer.
function hangUp(server: SMTPServer, session: SMTPServerSession) {
  const { connections } = server as unknown as { connections: Set<Connected> }
  for (const connection of connections) {
    if (connection.session.id === session.id) connection._socket.destroy()
  }
}

type Connected = { session: { id: string }; _socket: { destroy(): void } }

async function stopSmtp(server: SMTPServer) {
  if (!server.server.listening) return
  const { connections } = server as unknown as { connections: Set<Connected> }
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  for (const connection of connections) connection._socket.destroy()
  await Promise.race([closed, sleep(2_000)])
}

function closePage(page: Server) {
  page.closeAllConnections()
  return new Promise<void>((resolve) => page.close(() => resolve()))
}

const envelopeOf = ({ envelope }: SMTPServerSession): Envelope => ({
  from: envelope.mailFrom ? envelope.mailFrom.address : '',
  to: envelope.rcptTo.map(({ address }) => address),
})

function portOf({ server }: { server: { address(): unknown } }): number {
  return (server.address() as { port: number }).port
}

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
