import { setTimeout as sleep } from 'node:timers/promises'

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
  /** When the next login may begin. */
  nextAt: number
  /** Sessions that are open or about to be, the oldest first. */
  sessions: Set<symbol>
  /** How many sessions it takes; learnt from what it refused. */
  most: number
  learntAt: number
  /** The account that was refused last, and when. */
  refused?: { account: string; at: number }
  waiting: Set<() => void>
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

/** Waits for the turn of an account to log in to a host. Undefined if told to stop meanwhile. */
export async function turnAt(
  name: string,
  account: string,
  signal: AbortSignal,
): Promise<Turn | undefined> {
  const host: Host = hosts.get(name) ?? {
    ...{ nextAt: 0, sessions: new Set(), most: Number.POSITIVE_INFINITY, learntAt: 0 },
    waiting: new Set(),
  }
  hosts.set(name, host)
  const session = Symbol(account)
  const leave = () => {
    host.sessions.delete(session)
    fill(host)
    if (host.sessions.size === 0 && host.waiting.size === 0 && host.learntAt === 0)
      hosts.delete(name)
  }
  await place(host, session, signal)
  const now = performance.now()
  const at = Math.max(now, host.nextAt)
  host.nextAt = at + 1_000 / loginsASecond
  if (at > now) await sleep(at - now, undefined, { signal, ref: false }).catch(() => {})
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
      host.most = Math.min(mostNow(host), others)
      host.learntAt = now
      return true
    },
    isScarce: () => host.learntAt > 0,
    isWanted: () =>
      host.waiting.size > 0 &&
      performance.now() - began > shortestTurnMs &&
      isAmong(host.waiting.size, session, host.sessions),
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

/** Waits behind all others until there is a place for the session, and gives it that, unless told to stop before. */
async function place(host: Host, session: symbol, signal: AbortSignal) {
  const given = new AbortController()
  const give = () => {
    host.sessions.add(session)
    given.abort()
  }
  host.waiting.add(give)
  const over = AbortSignal.any([signal, given.signal])
  fill(host)
  while (!over.aborted) {
    await sleep(learntForMs, undefined, { signal: over, ref: false }).catch(() => {})
    // There may be one more place after that time.
    fill(host)
  }
  host.waiting.delete(give)
}

/** Gives free places to those who wait, in the order in which they came. */
function fill(host: Host) {
  for (const give of host.waiting) {
    if (host.sessions.size >= mostNow(host)) return
    host.waiting.delete(give)
    give()
  }
}

function mostNow(host: Host): number {
  const now = performance.now()
  if (host.learntAt > 0 && now - host.learntAt > learntForMs) {
    host.most++
    host.learntAt = now
  }
  return host.most
}
