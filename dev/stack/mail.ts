import { once } from 'node:events'
import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { startMailPage } from './mail-page.ts'
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
            const message = await store.add({ ...envelope, isGuest: !from.user }, raw)
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
