import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { sayStatus } from './folders.ts'
import { type Profile, type ProfileName, profiles } from './profiles.ts'
import { type Row, tableOf } from './rows.ts'
import type { Served, Session } from './served.ts'
import { serve } from './session.ts'
import { openStore } from './store.ts'
import { sync } from './sync.ts'

/** What a client has said; `text` is without the words of a login. */
export type Heard = { login: string; verb: string; text: string; at: number }

export type ImapOptions = {
  profile?: ProfileName | Profile
  rows?: Row[]
  port?: number
  /** Any login, unless said otherwise. */
  accepts?: (user: string, secret: string) => boolean
  /** Numbers from 0 to 1, for rows with a probability. */
  random?: () => number
  /** Whether it remembers each command, and not their number alone. */
  remembers?: boolean
}

export type ImapServer = Awaited<ReturnType<typeof startImapServer>>

/** An IMAP server on loopback that behaves as a table of rows says; without rows, as its provider does on a good day. */
export async function startImapServer(options: ImapOptions = {}) {
  const { rows = [], random = Math.random, remembers = true, accepts = () => true } = options
  const given = options.profile ?? 'dovecot'
  const profile = typeof given === 'string' ? profiles[given] : given
  const store = openStore(profile)
  const table = tableOf(random)
  table.set(rows)
  const sockets = new Set<Socket>()
  const sessions = new Map<string, Set<Session>>()
  const counts = new Map<string, Record<string, number>>()
  const heard: Heard[] = []
  const early = new WeakMap<Session, Heard[]>()
  const logins = { good: 0, refused: 0 }
  let connections = 0
  let live = 0

  function note(entry: Heard) {
    const of = counts.get(entry.login) ?? {}
    of[entry.verb] = (of[entry.verb] ?? 0) + 1
    counts.set(entry.login, of)
    if (remembers) heard.push(entry)
  }

  function forget(session: Session) {
    if (sessions.get(session.login ?? '')?.delete(session)) live--
  }

  const served: Served = {
    profile,
    store,
    table,
    logins,
    accepts,
    opened(session) {
      connections++
      early.set(session, [])
      return {
        closed: () => forget(session),
      }
    },
    named(session) {
      const login = session.login ?? ''
      sessions.set(login, (sessions.get(login) ?? new Set()).add(session))
      for (const entry of early.get(session) ?? []) note({ ...entry, login })
      early.delete(session)
      live++
    },
    refused(session) {
      forget(session)
      session.login = undefined
    },
    live: (login) => ({ account: sessions.get(login)?.size ?? 0, host: live }),
    count(session, { verb, args }) {
      const plain = verb.replace('UID ', '')
      const isLogin = plain === 'LOGIN' || plain === 'AUTHENTICATE'
      const text = isLogin ? verb : `${verb} ${JSON.stringify(args).slice(0, 500)}`
      const entry = {
        login: session.login ?? '',
        verb: isLogin ? 'LOGIN' : plain,
        text,
        at: Date.now(),
      }
      const waiting = early.get(session)
      if (waiting) waiting.push(entry)
      else note(entry)
    },
  }

  store.listen(({ login }, folder) => {
    for (const session of sessions.get(login) ?? []) {
      const isOpen = session.folder === folder
      if (isOpen && (session.isIdling || session.notifies)) sync(session)
      else if (session.notifies)
        sayStatus(session, folder, ['MESSAGES', 'UIDNEXT', 'UIDVALIDITY'], {})
    }
  })

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    void serve(served, socket)
  })
  const listen = async (port: number) => {
    // Thousands may come at once.
    server.listen({ port, host: '127.0.0.1', backlog: 4096 })
    await once(server, 'listening')
  }
  await listen(options.port ?? 0)
  const { port } = server.address() as AddressInfo
  async function stop() {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }

  return {
    port,
    profile,
    store,
    /** Its table of rows. */
    rows: table,
    heard,
    logins,
    /** Commands by verb: of one account, or of all. */
    counts(login?: string): Record<string, number> {
      if (login !== undefined) return { ...counts.get(login) }
      const sum: Record<string, number> = {}
      for (const of of counts.values())
        for (const [verb, n] of Object.entries(of)) sum[verb] = (sum[verb] ?? 0) + n
      return sum
    },
    /** The names of an account's folders. */
    folders: (login: string) => [...store.box(login).folders.keys()],
    forgetCounts: () => counts.clear(),
    /** How many connections there have been. */
    connections: () => connections,
    /** How many sessions are open. */
    sessions: (login?: string) =>
      login === undefined ? sockets.size : (sessions.get(login)?.size ?? 0),
    /** Ends the sessions of an account, or all of them: with BYE, or without a word. */
    end(login?: string, bye?: string) {
      for (const [of, all] of sessions)
        for (const session of login === undefined || of === login ? all : []) {
          if (bye !== undefined) session.say(`BYE ${bye}`)
          session.end()
        }
    },
    stop,
    /** Listens on the same port again after `stop`. */
    restart: () => listen(port),
  }
}
