import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { atEnd } from './hooks.ts'

type Answer = { code: number; text: string } | undefined
type Connected = {
  session: { id: string }
  _socket: Socket
  handler_RSET(command: string, done: () => void): void
}
type Session = { id: string; letters: number; inHand: boolean }

/** What a test may have the server answer; nothing answered means that it goes on. */
export type MailRules = {
  onLogin?: (user: string, password: string) => Answer
  /** How long the answer to a login takes. */
  loginMs?: number
  onLetter?: (session: Session) => Answer
}

const refusal = ({ code, text }: { code: number; text: string }) =>
  Object.assign(new Error(text), { responseCode: code })

/**
 * A mail server for one test that asks for a login, and counts sessions, logins, resets and letters. `hangUp` closes all of its
 * sessions, and `goDeaf` leaves them open without ever reading from them again; new sessions are served.
 */
export async function countedMail(rules: MailRules = {}, tls?: { key: string; cert: string }) {
  const count = { sessions: 0, logins: 0, refused: 0, resets: 0 }
  const countResets = (line: Connected) => {
    const reset = line.handler_RSET.bind(line)
    line.handler_RSET = (...given) => {
      count.resets++
      reset(...given)
    }
  }
  const letters: { to: string; session: string }[] = []
  const sessions = new Map<string, Session>()
  const open = () => {
    const server = new SMTPServer({
      allowInsecureAuth: true,
      ...(tls ?? { disabledCommands: ['STARTTLS'] }),
      disableReverseLookup: true,
      onConnect(session, done) {
        count.sessions++
        sessions.set(session.id, { id: session.id, letters: 0, inHand: false })
        const line = connectionsOf(server).find((one) => one.session.id === session.id)
        if (line) countResets(line)
        done()
      },
      async onAuth({ username, password }, _, done) {
        if (rules.loginMs) await sleep(rules.loginMs)
        const answer = rules.onLogin?.(username ?? '', password ?? '')
        if (answer) {
          count.refused++
          return done(refusal(answer))
        }
        count.logins++
        done(null, { user: username ?? '' })
      },
      onMailFrom(_, { id }, done) {
        const session = sessions.get(id) as Session
        const answer = rules.onLetter?.(session)
        session.letters++
        session.inHand = answer === undefined
        answer ? done(refusal(answer)) : done()
      },
      onData(stream, session, done) {
        stream.resume()
        stream.on('end', () => {
          const [to] = session.envelope.rcptTo
          letters.push({ to: to?.address ?? '', session: session.id })
          const known = sessions.get(session.id)
          if (known) known.inHand = false
          done()
        })
      },
    })
    server.on('error', () => {})
    return server
  }
  const connectionsOf = (server: SMTPServer) => [
    ...(server as unknown as { connections: Set<Connected> }).connections,
  ]
  let server = open()
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server.server, 'listening')
  }
  await listen(0)
  const { port } = server.server.address() as AddressInfo
  const hangUp = (which?: (session: Session) => boolean) => {
    for (const { session, _socket } of connectionsOf(server)) {
      const known = sessions.get(session.id)
      if (!which || (known && which(known))) _socket.destroy()
    }
  }
  const stop = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    hangUp()
    await closed
  }
  atEnd(stop)
  return {
    port,
    count,
    letters,
    hangUp: () => hangUp(),
    /** Closes the sessions that have carried a letter and carry none at the moment. */
    hangUpIdle: () => hangUp(({ letters, inHand }) => letters > 0 && !inHand),
    goDeaf() {
      for (const { _socket } of connectionsOf(server)) _socket.pause()
    },
    stop,
    async restart() {
      server = open()
      await listen(port)
    },
    settings: { host: '127.0.0.1', port, secure: false, user: 'ana' },
  }
}
