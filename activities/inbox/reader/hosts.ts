import { setTimeout as sleep } from 'node:timers/promises'
import { type Leave, openPlaces } from '../../../process/limits/places.ts'
import { openRate, type Rate } from '../../../process/limits/rate.ts'

// Turns of logging in to the hosts of mailboxes. A start or an outage must not let hundreds of accounts log in at once, and a host
// that takes only so many sessions gives each of its accounts a turn.

const loginsASecond = 20
// A limit that was learnt is tried again, by one session more, after this time.
const learntForMs = 10 * 60_000
// A session that others wait for lasts at least this long, so that logins stay rare.
const shortestTurnMs = 5_000
// An account may have too many sessions of its own. Only if another one is refused too within this time, the host has.
const togetherMs = 60_000

type Host = {
  logins: Rate
  /** Sessions that are open or about to be, the oldest first. */
  sessions: Set<symbol>
  /** How many sessions it takes; learnt from what it refused. */
  most: number
  learntAt: number
  /** The account that was refused last, and when. */
  refused?: { account: string; at: number }
}

export type Turn = {
  /** A session was refused because there are too many. True if it is the host that takes no more, so that a turn has to come. */
  tooMany(): boolean
  /** Whether another account waits for this session to end. */
  isWanted(): boolean
  /** The host takes only so many sessions, as was learnt. */
  isScarce(): boolean
  leave(): void
}

const hosts = new Map<string, Host>()
const places = openPlaces({ name: 'mailbox_sessions', ofKey: mostNow })

/** Waits for the turn of an account to log in to a host. Undefined if told to stop meanwhile. */
export async function turnAt(
  name: string,
  account: string,
  signal: AbortSignal,
): Promise<Turn | undefined> {
  const host: Host = hosts.get(name) ?? {
    logins: openRate(),
    sessions: new Set(),
    most: Number.POSITIVE_INFINITY,
    learntAt: 0,
  }
  hosts.set(name, host)
  const place = await placeAt(name, signal)
  if (!place) return undefined
  const session = Symbol(account)
  host.sessions.add(session)
  const leave = () => {
    host.sessions.delete(session)
    place()
    if (places.inHandOf(name) === 0 && host.learntAt === 0) hosts.delete(name)
  }
  const ms = host.logins.next(1_000 / loginsASecond)
  if (ms > 0) await sleep(ms, undefined, { signal, ref: false }).catch(() => {})
  if (signal.aborted) {
    leave()
    return undefined
  }
  const began = performance.now()
  return {
    leave,
    tooMany() {
      const now = performance.now()
      const { refused } = host
      host.refused = { account, at: now }
      const isOther = refused && refused.account !== account && now - refused.at < togetherMs
      const others = host.sessions.size - 1
      if (others === 0 || !(isOther || host.learntAt > 0)) return false
      host.most = Math.min(mostNow(name), others)
      host.learntAt = now
      return true
    },
    isScarce: () => host.learntAt > 0,
    isWanted: () =>
      places.waitingOf(name) > 0 &&
      performance.now() - began > shortestTurnMs &&
      isAmong(places.waitingOf(name), session, host.sessions),
  }
}

/** As many sessions end as others wait for, the oldest first. */
function isAmong(first: number, session: symbol, sessions: Set<symbol>): boolean {
  let n = 0
  for (const one of sessions) {
    if (one === session) return true
    if (++n === first) return false
  }
  return false
}

/** Waits behind all others until there is a place for a session; undefined if told to stop before. */
async function placeAt(name: string, signal: AbortSignal): Promise<Leave | undefined> {
  // There may be one more place after that time.
  const looking = setInterval(() => places.look(name), learntForMs).unref()
  try {
    return await places.take(name, { signal })
  } catch {
    return undefined
  } finally {
    clearInterval(looking)
  }
}

function mostNow(name: string): number {
  const host = hosts.get(name)
  if (!host) return Number.POSITIVE_INFINITY
  const now = performance.now()
  if (host.learntAt > 0 && now - host.learntAt > learntForMs) {
    host.most++
    host.learntAt = now
  }
  return host.most
}
