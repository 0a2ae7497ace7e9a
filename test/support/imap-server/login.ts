import type { Answer } from './rows.ts'
import type { Outcome, Session } from './served.ts'
import type { Command } from './tokens.ts'

type Before = (answer: Answer) => Promise<Outcome | undefined>

/** LOGIN and AUTHENTICATE with PLAIN, XOAUTH2 and OAUTHBEARER (RFC 4616, RFC 7628). */
export async function logIn(session: Session, command: Command, before: Before): Promise<Outcome> {
  const { server, profile } = session
  const [first = '', second] = command.args.map(String)
  const isToken = command.verb === 'AUTHENTICATE' && /^(xoauth2|oauthbearer)$/i.test(first)
  let said: { user: string; secret: string }
  if (command.verb === 'LOGIN') said = { user: first, secret: second ?? '' }
  else {
    if (!isToken && !/^plain$/i.test(first)) return { text: `BAD ${first} is not known` }
    if (second === undefined) session.write('+ \r\n')
    const initial = second ?? (await session.nextLine())
    if (initial === undefined) return 'over'
    const text = Buffer.from(initial, 'base64').toString()
    const [, user = '', secret = ''] = text.split('\0')
    said = isToken ? tokenIn(text) : { user, secret }
  }
  const box = server.store.box(said.user)
  session.login = said.user
  session.number = ++box.sessions
  server.named(session)
  const told = { login: said.user, verb: 'LOGIN', session: session.number }
  const refusal = (await before(server.table.answerTo(told))) ?? refused()
  if (!refusal) {
    session.box = box
    session.offers = profile.offers.after
    server.logins.good++
    return { text: `OK [CAPABILITY ${session.offers}] ${profile.words.loggedIn}` }
  }
  if (typeof refusal === 'object') server.logins.refused++
  if (refusal === 'over' || refusal === 'silent') return refusal
  server.refused(session)
  if (isToken && typeof refusal === 'object') {
    // RFC 7628, 3.2.3: why, and then the client says that it has understood.
    session.write(`+ ${Buffer.from('{"status":"401","schemes":"bearer"}').toString('base64')}\r\n`)
    if ((await session.nextLine()) === undefined) return 'over'
  }
  return refusal

  function refused(): Outcome | undefined {
    const { sessions, words } = profile
    const { account, host } = server.live(said.user)
    session.isBarred = account > sessions.account || host > sessions.host
    if (session.isBarred && !profile.letsInTooMany) return { text: `NO ${words.tooMany}` }
    return server.accepts(said.user, said.secret) ? undefined : { text: `NO ${words.refused}` }
  }
}

function tokenIn(text: string) {
  const fields = text.split('\x01')
  const user = fields[0]?.replace(/^user=|^n,a=|,$/g, '') ?? ''
  const bearer = fields.find((field) => field.startsWith('auth=Bearer '))
  return { user, secret: bearer?.slice('auth=Bearer '.length) ?? '' }
}
