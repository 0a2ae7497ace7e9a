import pg from 'pg'
import { endWhenSilent, keptAlive, limits, settingsOf } from './limits.ts'

/** What a listener does to notice that nothing reaches it any more: it asks this often, and waits for an answer for so long. */
type Checks = { everyMs: number; answerMs: number }
const usualChecks: Checks = { everyMs: 20_000, answerMs: 5_000 }

const triedAgainMs = 500
const connectMs = 10_000

type Listener = { channel: string; isAlive: boolean }
const listeners = new Set<Listener>()

/** The listeners of this process. One that is not alive connects again. */
export const listListeners = (): readonly Listener[] => [...listeners]

/**
 * Listens for NOTIFY on a connection of its own, which it opens again when it breaks, and also when it is deaf: a network that has
 * forgotten a connection tells nobody. A notification only shortens a wait: every listener also polls, so one that was lost while the
 * connection was down costs nothing but time. `heard` gets '' with each new connection, since any may have been lost.
 */
export function listen(
  databaseUrl: string,
  channel: string,
  heard: (payload: string) => void,
  { everyMs, answerMs }: Checks = usualChecks,
) {
  let closed = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  const listener: Listener = { channel, isAlive: false }
  listeners.add(listener)

  const open = async () => {
    const next = new pg.Client({
      connectionString: databaseUrl,
      application_name: `postroom ${channel}`,
      connectionTimeoutMillis: connectMs,
      ...keptAlive,
    })
    client = next
    const again = () => {
      if (closed || client !== next) return
      listener.isAlive = false
      client = undefined
      next.end().catch(() => {})
      timer = setTimeout(open, triedAgainMs)
    }
    next.on('error', again)
    next.on('end', again)
    next.on('notification', (message) => heard(message.payload ?? ''))
    try {
      await next.connect()
      endWhenSilent(next, answerMs)
      await next.query(`${settingsOf(limits.maintenance, { disk: true })}; listen ${channel}`)
      listener.isAlive = true
      heard('')
    } catch {
      again()
    }
  }
  void open()

  // Without an answer, the connection ends.
  const asking = setInterval(() => {
    if (listener.isAlive) client?.query('select 1').catch(() => {})
  }, everyMs)

  return {
    async close() {
      closed = true
      listeners.delete(listener)
      clearTimeout(timer)
      clearInterval(asking)
      await client?.end().catch(() => {})
    },
  }
}
