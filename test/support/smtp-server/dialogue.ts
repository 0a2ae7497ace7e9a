import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Stage } from '../../../rules/answers/smtp.ts'

// One session of the scripted server: the verbs of RFC 5321 and AUTH PLAIN and LOGIN (RFC 4954), as far as clients send them.

/** An answer of one line or several; the end of the connection; or an answer, by default the usual one, that comes late. */
export type Answer = string | { lateMs: number; answer?: string }

export type Letter = { login: string; from: string; to: string[]; raw: string }

export type Hooks = {
  banner: string
  /** What the table answers at a stage; undefined for the usual answer. */
  answer(stage: Stage, at: { login: string; from: string; to: string }): Answer | undefined
  loggedIn(login: string): void
  taken(letter: Letter): void
  /** The login is empty if it came to none. */
  ended(login: string): void
}

export async function converse(socket: Socket, hooks: Hooks) {
  const reader = createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY })
  const lines = reader[Symbol.asyncIterator]()
  const next = async () => ((await lines.next()).value as string | undefined) ?? 'QUIT'
  const write = (text: string) => void socket.write(`${text.split('\n').join('\r\n')}\r\n`)
  let login = ''
  let from = ''
  let to: string[] = []

  /** Answers a stage; true if that was a yes. */
  async function at(stage: Stage, usual: string, named = to.at(-1) ?? ''): Promise<boolean> {
    const scripted = hooks.answer(stage, { login, from, to: named })
    if (scripted === 'close') {
      socket.destroy()
      return false
    }
    if (typeof scripted === 'object') await sleep(scripted.lateMs, undefined, { ref: false })
    const answer = (typeof scripted === 'object' ? scripted.answer : scripted) ?? usual
    if (stage === 'dot' && answer.startsWith('2')) hooks.taken({ login, from, to, raw })
    write(answer)
    if (answer.startsWith('421')) socket.end()
    return /^[23]/.test(answer)
  }
  let raw = ''

  const verbs: Record<string, (line: string) => Promise<unknown>> = {
    EHLO: async () => write(`250-${hooks.banner}\n250-ENHANCEDSTATUSCODES\n250 AUTH PLAIN LOGIN`),
    async AUTH(line) {
      login = await userIn(line)
      if (await at('login', '235 2.7.0 Accepted')) hooks.loggedIn(login)
      else login = ''
    },
    async MAIL(line) {
      from = pathIn(line)
      to = []
      await at('mail', '250 2.1.0 OK')
    },
    async RCPT(line) {
      if (await at('rcpt', '250 2.1.5 OK', pathIn(line))) to.push(pathIn(line))
    },
    async DATA() {
      if (!(await at('data', '354 Go ahead'))) return
      raw = ''
      for (let line = await next(); line !== '.' && !socket.destroyed; line = await next())
        raw += `${line.startsWith('.') ? line.slice(1) : line}\r\n`
      await at('dot', '250 2.0.0 OK')
    },
    RSET: async () => write('250 2.0.0 OK'),
    NOOP: async () => write('250 2.0.0 OK'),
    async QUIT() {
      write('221 2.0.0 Bye')
      socket.end()
    },
  }

  async function userIn(line: string) {
    const [, how = '', said] = line.split(' ')
    const ask = async (what: string) => {
      write(`334 ${what}`)
      return Buffer.from(await next(), 'base64').toString()
    }
    if (how.toUpperCase() === 'PLAIN')
      return (said ? Buffer.from(said, 'base64').toString() : await ask('')).split('\0')[1] ?? ''
    const user = said ? Buffer.from(said, 'base64').toString() : await ask('VXNlcm5hbWU6')
    await ask('UGFzc3dvcmQ6')
    return user
  }

  socket.on('error', () => {})
  if (await at('greeting', `220 ${hooks.banner} ESMTP`))
    while (!socket.destroyed && !socket.writableEnded) {
      const line = await next()
      const verb = verbs[line.slice(0, 4).toUpperCase()]
      if (verb) await verb(line)
      else write('502 5.5.2 Unknown')
    }
  hooks.ended(login)
  socket.destroy()
}

const pathIn = (line: string) => /<([^>]*)>/.exec(line)?.[1] ?? ''
