import { createHash } from 'node:crypto'
import { Gauge } from 'prom-client'
import { openPlaces } from '../../process/limits/places.ts'
import { registers } from '../../process/telemetry/metrics.ts'
import { setNewest } from '../../rules/newest.ts'
import type { Mail } from '../ports/mail/compose.ts'
import type { Handover, MailSession } from '../ports/mail/smtp.ts'

// Opening a session and logging in costs several times what handing a letter over does, and providers limit and count both. So
// a session is kept for the next letter of its account: by this process, for some seconds and letters.

const idleMs = 10_000
const mostLetters = 100
// A session that has carried so many is followed by one that is opened ahead, if letters come fast enough to need it soon: a
// server may take as long to greet as for twenty letters, and some take longer.
const openAheadAfter = 50
// Sessions of one account. A letter that finds them busy waits this long, and then opens another one for itself.
const most = 2
const waitMs = 500
// Idle ones among all accounts of the process; the one that was used longest ago is closed first.
const mostIdle = 200
// A server is quick if it took its last letter, not long ago, within this time.
const quickMs = 200
const mostQuick = 10_000
// A session whose server answered within this time is used without asking again whether it is still there.
const freshMs = 1_000

/**
 * The columns of an account that a session depends on. A session of other settings or another password is never used; nor is one
 * that was opened before the sessions of its account were counted, because it has no place among them.
 */
export type Account = {
  id: string
  smtp: unknown
  oauth?: unknown
  secrets: string | null
  sessionsMost?: number | null
}

/** How a session is opened: for a letter that waits for it, or ahead of the letters that will need it. */
export type Opening = { open(): Promise<MailSession>; openAhead(): Promise<MailSession> }

/** A session in use by one letter. */
export type Session = {
  /** Hands the letter over; over a fresh session if the server ended this one without having taken it. */
  send(mail: Mail): Promise<Handover>
  /** Whether the server takes addresses beyond ASCII. */
  takesWide: boolean
  /** Gives it back, for the next letter if it is still good. */
  release(): void
}

type Open = {
  account: string
  /** It serves an account of which `fitsOf` says the same. */
  fits: string
  session: MailSession
  openedAt: number
  letters: number
  answeredAt: number
  /** The last letter was not taken, so what remains of it must be cleared before the next one. */
  isUnclear: boolean
  /** The server is being asked whether it is still there. */
  asked?: Promise<boolean>
}

/** What its letters tell each other. `opening`: settles, without an error, once it is known whether the account can be opened. */
type Shared = { failed?: { error: unknown; at: number }; opening?: Promise<unknown> }

// The one that was used longest ago is first.
const idle = new Map<Open, NodeJS.Timeout>()
const places = openPlaces({ name: 'account_sessions', ofKey: most })
// Of the accounts that have letters here.
const sharing = new Map<string, Shared & { letters: number }>()
// When the server of an account took a letter quickly.
const quickAt = new Map<string, number>()
let busy = 0

new Gauge({
  name: 'postroom_smtp_sessions',
  help: 'Open SMTP sessions of this process: busy with a letter, or kept idle for the next one.',
  labelNames: ['state'],
  registers,
  collect() {
    this.set({ state: 'busy' }, busy)
    this.set({ state: 'idle' }, idle.size)
  },
})

/**
 * A session of the account whose server answers: one that is kept, or else one that `open` opens.
 * @throws what `open` throws; letters that waited for that session do not try again. A failure of `openAhead` is not reported: the
 * letter that needs the session finds out by itself.
 */
export async function takeSession(account: Account, opening: Opening): Promise<Session> {
  const shared = sharing.get(account.id) ?? { letters: 0 }
  sharing.set(account.id, shared)
  shared.letters++
  const fits = fitsOf(account)
  const began = performance.now()
  const place = await places.take(account.id, { patience: { ms: waitMs } })
  const leave = () => {
    place?.()
    if (--shared.letters === 0) sharing.delete(account.id)
  }
  try {
    // Sessions that are only being opened are not busy: a server that takes its time to refuse a login is not asked by everybody.
    if (!place) await shared.opening
    if (shared.failed && shared.failed.at > began) throw shared.failed.error
    const kept = await findKept(account.id, fits)
    const one = kept ?? opened(account.id, fits, await openIn(shared, opening))
    busy++
    return inUse(one, opening, leave)
  } catch (error) {
    if (error !== shared.failed?.error) shared.failed = { error, at: performance.now() }
    leave()
    throw error
  }
}

function openIn(shared: Shared, { open }: Opening): Promise<MailSession> {
  const session = open()
  shared.opening = session.catch(() => {})
  return session
}

/** Closes the idle sessions of an account, or of all. */
export function closeSessions(account?: string) {
  for (const open of idleOf(account)) {
    remove(open)
    open.session.close()
  }
}

/** Whether the server of the account takes letters quickly, over a session that is probably kept. */
export const isQuick = (account: string): boolean =>
  performance.now() - (quickAt.get(account) ?? Number.NEGATIVE_INFINITY) < idleMs

function noteQuick(account: string, handover: Handover, ms: number) {
  if (handover.kind !== 'accepted' || ms > quickMs) quickAt.delete(account)
  else setNewest(quickAt, account, performance.now(), mostQuick)
}

/** Asks the server of a kept session of the account whether it is still there, so that the next letter need not. */
export function askAhead(account: string) {
  const kept = idleOf(account).at(-1)
  if (kept) void answers(kept)
}

async function findKept(account: string, fits: string): Promise<Open | undefined> {
  const kept = idleOf(account).findLast((one) => one.fits === fits)
  if (kept) {
    remove(kept)
    kept.session.hold(true)
    if (await answers(kept)) return kept
  }
  // The settings have changed, the sessions are counted by now, or the server was restarted: the others are of no use either.
  closeSessions(account)
  return undefined
}

/** Whether the server of a session is there: it was a moment ago, or it is asked, once for all who want to know. */
async function answers(open: Open): Promise<boolean> {
  if (!open.isUnclear && performance.now() - open.answeredAt < freshMs) return true
  open.asked ??= ask(open)
  return open.asked
}

async function ask(open: Open): Promise<boolean> {
  const isThere = await open.session.clear()
  delete open.asked
  if (isThere) Object.assign(open, { answeredAt: performance.now(), isUnclear: false })
  return isThere
}

function opened(account: string, fits: string, session: MailSession): Open {
  const now = performance.now()
  const fresh = { openedAt: now, letters: 0, answeredAt: now, isUnclear: false }
  const open = { account, fits, session, ...fresh }
  session.onOver(() => remove(open))
  return open
}

function inUse(first: Open, opening: Opening, leave: () => void): Session {
  let open = first
  let isReleased = false
  const send = async (mail: Mail) => {
    const began = performance.now()
    const handover = await open.session.send(mail)
    noteQuick(open.account, handover, performance.now() - began)
    open.letters++
    open.answeredAt = performance.now()
    open.isUnclear = handover.kind !== 'accepted'
    if (open.letters === openAheadAfter && isUsedUpSoon(open)) void openNext(open, opening)
    return handover
  }
  return {
    takesWide: first.session.takesWide,
    async send(mail) {
      const handover = await send(mail)
      if (open.letters === 1 || !hasEnded(handover)) return handover
      open.session.close()
      // The letter is claimed: whatever goes wrong now, its outcome is known and must be settled.
      const session = await opening.open().catch(() => undefined)
      if (!session) return handover
      open = opened(open.account, open.fits, session)
      return send(mail)
    },
    release() {
      if (isReleased) return
      isReleased = true
      busy--
      keep(open)
      leave()
    },
  }
}

/** Whether the letters that a session has left will have gone before one that is opened now would be closed unused. */
function isUsedUpSoon({ openedAt, letters }: Open): boolean {
  const msPerLetter = (performance.now() - openedAt) / letters
  return (mostLetters - letters) * msPerLetter < idleMs / 2
}

/** Opens the session that follows one that is used up soon, unless another one of the account has nothing to do. */
async function openNext({ account, fits }: Open, { openAhead }: Opening) {
  if (idleOf(account).length > 0) return
  const session = await openAhead().catch(() => undefined)
  if (session) keep(opened(account, fits, session))
}

/**
 * Whether the server ended the session without having taken the letter: it closed the connection before the end of the letter, or
 * lets a session carry only so many letters (421, RFC 5321; 452 4.5.3, RFC 3463). A fresh session may take the letter at once.
 */
const hasEnded = (handover: Handover) =>
  handover.kind === 'deferred' &&
  (handover.code === null ||
    handover.code === 421 ||
    (handover.code === 452 && handover.status === '4.5.3'))

function keep(open: Open) {
  if (open.session.isOver()) return
  if (open.letters >= mostLetters) return open.session.close()
  open.session.hold(false)
  const end = () => {
    remove(open)
    open.session.close()
  }
  idle.set(open, setTimeout(end, idleMs).unref())
  const ofAccount = idleOf(open.account)
  const [oldest] = ofAccount.length > most ? ofAccount : idle.size > mostIdle ? idle.keys() : []
  if (!oldest) return
  remove(oldest)
  oldest.session.close()
}

const idleOf = (account?: string) =>
  [...idle.keys()].filter((open) => account === undefined || open.account === account)

function remove(open: Open) {
  clearTimeout(idle.get(open))
  idle.delete(open)
}

/** Which sessions may be used for the account as it is now. */
const fitsOf = (account: Account) =>
  `${settingsOf(account)}${(account.sessionsMost ?? null) === null ? '' : ' counted'}`

/** Distinguishes the settings and passwords of an account from all others, and reveals nothing about them. */
export const settingsOf = ({ smtp, oauth, secrets }: Account) =>
  createHash('sha256')
    .update(JSON.stringify([smtp, secrets, ...(oauth ? [oauth] : [])]))
    .digest('base64')
