import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Row } from './rows.ts'
import type { ImapServer } from './server.ts'

// What a server in a process of its own is told over HTTP: one address a call, JSON both ways.

export type Delivery = {
  login: string
  /** The whole mail, as Latin-1. */
  raw: string
  folder?: string
  at?: string
  flags?: string[]
}
export type Counts = {
  /** Commands by verb, of all accounts or of the one that was asked for. */
  commands: Record<string, number>
  /** How many accounts have been named. */
  mailboxes: number
  sessions: number
  connections: number
  logins: { good: number; refused: number }
}
export type Calls = {
  deliver: { takes: Delivery[]; gives: { uids: number[] } }
  rows: { takes: Row[]; gives: object }
  counts: { takes: { login?: string }; gives: Counts }
  forget: { takes: object; gives: object }
  move: { takes: { login: string; uid: number; from: string; to: string }; gives: { uid: number } }
  end: { takes: { login?: string; bye?: string }; gives: object }
  mails: {
    takes: { login: string; folder: string }
    gives: { mails: { uid: number; raw: string }[] }
  }
  folders: { takes: { login: string }; gives: { names: string[] } }
}

type Works = { [Name in keyof Calls]: (body: Calls[Name]['takes']) => Calls[Name]['gives'] }

const worksOf = (server: ImapServer): Works => ({
  deliver: (mails) => ({
    uids: mails.map(({ login, raw, at, ...where }) =>
      server.store.put(login, Buffer.from(raw, 'latin1'), {
        ...where,
        ...(at && { at: new Date(at) }),
      }),
    ),
  }),
  rows(rows) {
    server.rows.set(rows)
    return {}
  },
  counts: ({ login }) => ({
    commands: server.counts(login),
    mailboxes: server.store.boxes.size,
    sessions: server.sessions(login),
    connections: server.connections(),
    logins: server.logins,
  }),
  forget() {
    server.forgetCounts()
    return {}
  },
  move: ({ login, uid, from, to }) => ({ uid: server.store.move(login, uid, from, to) }),
  end({ login, bye }) {
    server.end(login, bye)
    return {}
  },
  mails({ login, folder }) {
    const entries = server.store.find(login, folder)?.entries ?? []
    return { mails: entries.map(({ uid, mail }) => ({ uid, raw: mail.raw.toString('latin1') })) }
  },
  folders: ({ login }) => ({ names: server.folders(login) }),
})

export async function startControl(server: ImapServer): Promise<number> {
  const works = worksOf(server) as Record<string, (body: unknown) => object>
  const answer = async (request: IncomingMessage) => {
    const work = works[(request.url ?? '').slice(1)]
    if (!work) throw new Error(`There is no call ${request.url}`)
    return work(await json(request))
  }
  const control = createServer((request, response) => {
    answer(request).then(
      (told) => response.end(JSON.stringify(told)),
      (error: Error) => response.writeHead(400).end(JSON.stringify({ error: error.message })),
    )
  })
  control.listen(0, '127.0.0.1')
  await once(control, 'listening')
  return (control.address() as AddressInfo).port
}
