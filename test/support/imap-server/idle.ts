import type { Answer } from './rows.ts'
import type { Outcome, Session } from './served.ts'
import { sync } from './sync.ts'

type Before = (answer: Answer) => Promise<Outcome | undefined>

/** IDLE (RFC 2177): tells of mail until the client says DONE, or the server has had enough. */
export async function idle(session: Session, answer: Answer, before: Before): Promise<Outcome> {
  session.write('+ idling\r\n')
  if (answer.silence) return 'silent'
  sync(session)
  if (answer.exists) session.say(`${session.view.length + answer.exists} EXISTS`)
  session.isIdling = true
  const { ms, ends } = session.profile.idle
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), answer.endIdleMs ?? ms)
    timer.unref()
  })
  const ended = await Promise.race([session.nextLine(false), late])
  clearTimeout(timer)
  session.isIdling = false
  if (ended === undefined) return 'over'
  if (ended === 'late') {
    const { bye, close } = answer
    if (answer.endIdleMs !== undefined)
      return (await before({ ...(bye !== undefined && { bye }), ...(close && { close }) })) ?? idled
    if (ends === 'ok') return idled
    const said = ends === 'bye' ? { bye: 'Session expired' } : { close: true as const }
    return (await before(said)) ?? idled
  }
  await session.nextLine()
  const told = { login: session.login ?? '', verb: 'DONE', session: session.number }
  return (await before(session.server.table.answerTo(told))) ?? idled
}

const idled = { text: 'OK IDLE terminated' }
