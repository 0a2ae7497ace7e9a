import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Stage } from '../../../rules/answers/smtp.ts'
import { atEnd } from '../hooks.ts'
import { type Answer, converse, type Letter } from './dialogue.ts'

// An SMTP server whose behaviour is a table: at which stage, for which login and when it answers something else than a yes. The
// first row that fits decides.

/** What a row sees when it decides. All counts are those of the login. */
export type Facts = {
  login: string
  from: string
  to: string
  /** Letters that were taken. */
  taken: number
  /** How often this stage was reached, this time included. */
  nth: number
  /** Sessions that are logged in. */
  sessions: number
}

export type Row = {
  /** The name that logs in; without it, any. */
  login?: string
  stage: Stage
  when?: (facts: Facts) => boolean
  answer: Answer
}

type Count = { taken: number; sessions: number; mostSessions: number; stages: Map<Stage, number> }

/** A server for one test on a free port of the loopback address. */
export async function scriptedSmtp(rows: Row[] = []) {
  let table = rows
  const letters: Letter[] = []
  const answered: { stage: Stage; login: string; answer: string }[] = []
  const counts = new Map<string, Count>()
  const open = new Set<Socket>()
  const of = (login: string): Count => {
    const fresh = { taken: 0, sessions: 0, mostSessions: 0, stages: new Map() }
    const count = counts.get(login) ?? fresh
    counts.set(login, count)
    return count
  }

  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    void converse(socket, {
      banner: 'scripted.example',
      answer(stage, at) {
        const count = of(at.login)
        const nth = (count.stages.get(stage) ?? 0) + 1
        count.stages.set(stage, nth)
        const facts = { ...at, nth, taken: count.taken, sessions: count.sessions }
        const row = table.find(
          ({ stage: of, login, when }) =>
            of === stage && (login ?? at.login) === at.login && (when?.(facts) ?? true),
        )
        const words = typeof row?.answer === 'object' ? row.answer.answer : row?.answer
        if (words) answered.push({ stage, login: at.login, answer: words })
        return row?.answer
      },
      loggedIn(login) {
        const count = of(login)
        count.sessions++
        count.mostSessions = Math.max(count.mostSessions, count.sessions)
      },
      taken(letter) {
        of(letter.login).taken++
        letters.push(letter)
      },
      ended(login) {
        if (login) of(login).sessions--
      },
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    /** What it has taken, in order. */
    letters,
    /** What it has answered by its table. */
    answered,
    /** How often a stage was reached with a login. */
    reached: (login: string, stage: Stage) => of(login).stages.get(stage) ?? 0,
    mostSessions: (login: string) => of(login).mostSessions,
    script(next: Row[]) {
      table = next
    },
    /** The settings of an account that logs in with this name. */
    settings: (user: string) => ({ host: '127.0.0.1', port, secure: false, user }),
  }
}

export type ScriptedSmtp = Awaited<ReturnType<typeof scriptedSmtp>>
