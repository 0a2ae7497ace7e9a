import { setTimeout as sleep } from 'node:timers/promises'

// Turns of logging in to the hosts of mailboxes. A start or an outage must not let hundreds of accounts log in at once, and a host
// that takes only so many sessions gives each of its accounts a turn.

const loginsASecond = 20
// A limit that was learnt is tried again, by one session more, after this time.
const learntForMs = 10 * 60_000
// A session that others wait for lasts at least this long, so that logins stay rare.
const shortestTurnMs = 5_000

type Host = {
  /** When the next login may begin. */
  nextAt: number
  sessions: number
  /** Those of them that have logged in. */
  open: number
  /** How many sessions it takes; learnt from what it refused. */
  most: number
  learntAt: number
  waiting: Set<() => void>
}

export type Turn = {
  loggedIn(): void
  /** The host takes no more sessions than there are now. */
  tooMany(): void
  /** Whether another account waits for this session to end. */
  isWanted(): boolean
  /** The host takes only so many sessions, as was learnt. */
  isScarce(): boolean
  leave(): void
}

const hosts = new Map<string, Host>()

/** Waits for the turn to log in to a host. Undefined if told to stop meanwhile. */
export async function turnAt(name: string, signal: AbortSignal): Promise<Turn | undefined> {
  const host = hosts.get(name) ?? {
    ...{ nextAt: 0, sessions: 0, open: 0, most: Number.POSITIVE_INFINITY, learntAt: 0 },
    waiting: new Set<() => void>(),
  }
  hosts.set(name, host)
  while (host.sessions >= mostNow(host)) {
    await left(host, signal)
    if (signal.aborted) return undefined
  }
  host.sessions++
  let isOpen = false
  const leave = () => {
    host.sessions--
    if (isOpen) host.open--
    const [next] = host.waiting
    next?.()
    if (host.sessions === 0 && host.waiting.size === 0 && host.learntAt === 0) hosts.delete(name)
  }
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
    loggedIn() {
      isOpen = true
      host.open++
    },
    tooMany() {
      host.most = Math.max(1, Math.min(mostNow(host), host.open))
      host.learntAt = performance.now()
    },
    isScarce: () => host.learntAt > 0,
    isWanted: () => host.waiting.size > 0 && performance.now() - began > shortestTurnMs,
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

/** Ends when a session has ended, or after a while. */
async function left(host: Host, signal: AbortSignal) {
  const over = new AbortController()
  const end = () => over.abort()
  host.waiting.add(end)
  await sleep(learntForMs, undefined, {
    signal: AbortSignal.any([signal, over.signal]),
    ref: false,
  }).catch(() => {})
  host.waiting.delete(end)
}
