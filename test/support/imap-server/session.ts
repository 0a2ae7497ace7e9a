import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { handlers } from './handlers.ts'
import { idle } from './idle.ts'
import { logIn } from './login.ts'
import type { Answer } from './rows.ts'
import type { Outcome, Served, Session } from './served.ts'
import { sync } from './sync.ts'
import { type Command, commandFrom, readerOf } from './tokens.ts'
import { toldOf } from './told.ts'

/** One connection, from the greeting on. */
export async function serve(server: Served, socket: Socket) {
  const reader = readerOf(socket)
  let pending: Promise<string | undefined> | undefined
  const { profile } = server
  const session: Session = {
    server,
    profile,
    offers: profile.offers.before,
    login: undefined,
    box: undefined,
    isBarred: false,
    number: 0,
    folder: undefined,
    view: [],
    seen: undefined,
    isIdling: false,
    notifies: false,
    write: (bytes) => void (socket.destroyed || socket.write(bytes)),
    say: (line) => session.write(Buffer.from(`* ${line}\r\n`, 'latin1')),
    async nextLine(take = true) {
      pending ??= reader.line()
      const line = await pending
      if (take) pending = undefined
      return line
    },
    end: () => void (socket.destroyed || socket.end()),
    labels: (mail) =>
      server.store
        .labels(session.login ?? '', mail)
        .map(({ name, use }) =>
          name === 'INBOX' ? '"\\\\Inbox"' : `"${use ? `\\${use}` : name}"`,
        ),
  }
  const live = server.opened(session)
  socket.on('close', live.closed)
  const greeting = await before(session, server.table.answerTo(greetingOf(session)), socket)
  if (greeting !== undefined) return
  session.say(`OK [CAPABILITY ${session.offers}] ${profile.greeting}`)
  for (;;) {
    const line = await session.nextLine()
    if (line === undefined) return
    // The client's answer to an IDLE that the server had ended.
    if (/^done$/i.test(line)) continue
    const command = await commandFrom(line, reader, () => session.write('+ go ahead\r\n'))
    if (!command) return
    const outcome = await answered(session, command, socket)
    if (outcome === 'over' || outcome === 'silent') return
    if (outcome === 'swallowed') continue
    if (!/^(UID )?(FETCH|SEARCH)$/.test(command.verb) || command.verb.startsWith('UID'))
      sync(session)
    session.write(Buffer.from(`${command.tag} ${outcome.text}\r\n`, 'latin1'))
    if (command.verb === 'LOGOUT') session.end()
  }
}

const greetingOf = ({ number }: Session) => ({ login: '', verb: 'GREETING', session: number })

async function answered(session: Session, command: Command, socket: Socket): Promise<Outcome> {
  const { server } = session
  const verb = command.verb.replace('UID ', '')
  server.count(session, command)
  if (verb === 'LOGIN' || verb === 'AUTHENTICATE')
    return logIn(session, command, (answer) => before(session, answer, socket))
  if (session.login && session.isBarred && !/^(CAPABILITY|LOGOUT)$/.test(verb))
    return { text: `BAD ${session.profile.words.tooMany}` }
  const answer = server.table.answerTo(toldOf(session, command))
  if (verb === 'IDLE') {
    const refused = await before(session, { ...answer, ...idles }, socket)
    return refused ?? idle(session, answer, (other) => before(session, other, socket))
  }
  // A FETCH may first give some of what was asked for.
  if (answer.mails === undefined) {
    const early = await before(session, answer, socket)
    if (early) return early
  }
  const handler = handlers[verb]
  if (!handler) return { text: `BAD ${verb} is not known` }
  if (!session.login && !handler.isOpen) return { text: 'BAD Log in first' }
  if (!session.folder && handler.needsFolder) return { text: 'BAD No folder is open' }
  const text = handler.run(session, command, answer)
  if (text === undefined) {
    if (answer.silence) return 'silent'
    socket.end()
    return 'over'
  }
  if (answer.mails !== undefined) {
    const late = await before(session, answer, socket)
    if (late) return late
  }
  return { text }
}

// These mean something else at IDLE, or come later.
const idles = { silence: undefined, bye: undefined, close: undefined } as unknown as Answer

/** Does what a row says instead of an answer; undefined if the command is to be carried out. */
async function before(
  session: Session,
  answer: Answer,
  socket: Socket,
): Promise<Outcome | undefined> {
  if (answer.delayMs) await sleep(answer.delayMs, undefined, { ref: false })
  if (answer.untagged) session.say(answer.untagged)
  if (answer.bye !== undefined) {
    session.say(`BYE ${answer.bye}`)
    session.end()
    return 'over'
  }
  if (answer.close) {
    socket.destroy()
    return 'over'
  }
  if (answer.trickle) {
    session.write('* OK ')
    const timer = setInterval(() => session.write('still working '), 200)
    socket.on('close', () => clearInterval(timer))
    return 'silent'
  }
  if (answer.cutAt === undefined && answer.silence) return 'silent'
  if (answer.swallow) return 'swallowed'
  if (answer.no !== undefined) return { text: `NO ${answer.no}` }
  if (answer.bad !== undefined) return { text: `BAD ${answer.bad}` }
  return undefined
}
