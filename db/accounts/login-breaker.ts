import type { Server } from '../../rules/answers/causes.ts'
import { type LoginFailure, loginPauses, pauseAfter } from '../../rules/answers/login-pauses.ts'
import type { Db } from '../database.ts'
import { noteProblem } from './problems.ts'
import { findTrouble, forgetTries, type Known, putOffTry, reserveTry } from './retries.ts'
import type { AccountRetry } from './tables.ts'

// One breaker for the logins of an account at each of its servers, which readers, letters and checks share: while it cannot be
// opened, one try at a time finds out whether it can again, and each that fails makes the pause before the next one longer.

/** `settings` distinguishes the settings and passwords that are tried from all others: new ones are tried at once. */
export type LoginOf = { id: string; server: Server; settings: string }

export type Trouble = {
  problem: string | null
  problemSince: Date | null
  retryAt: Date | null
  retry: AccountRetry | null
}

// How long a try is reserved. Longer than opening a session takes, unless its server dawdles.
const tryMs = 90_000

/** Whether an account waits for its next try, with these settings. */
export function isWaiting(
  { problem, problemSince, retryAt, retry }: Trouble,
  { server, settings }: Pick<LoginOf, 'server' | 'settings'>,
  now: Date,
): boolean {
  // Noting that an account can send ends its pause.
  if (server === 'smtp' && problem === null && problemSince === null) return false
  if (retryAt === null || retry === null || retry.settings !== settings) return false
  const leftMs = retryAt.getTime() - now.getTime()
  // More than that is left only where the clock has been set back.
  return leftMs > 0 && leftMs <= Math.max(retry.longestMs, tryMs)
}

/** May be handed to `failedLogin` or `loggedIn`, whichever it comes to. */
export type Permit = { may: true; known: Known; before: Trouble }
export type Denial = { may: false; trouble: Trouble }

/** Whether the account may be logged in to now. Of all who ask about one in trouble, one gets the next try. */
export async function mayLogIn(
  db: Db,
  { id, server, settings }: LoginOf,
  now: Date,
): Promise<Permit | Denial> {
  const nothing = { problem: null, problemSince: null, retryAt: null, retry: null }
  const trouble: Trouble = (await findTrouble(db, id, server)) ?? nothing
  if (isWaiting(trouble, { server, settings }, now)) return { may: false, trouble }
  const known: Known = { id, server, retryAt: trouble.retryAt }
  if (known.retryAt === null || trouble.retry?.settings !== settings)
    return { may: true, known, before: trouble }
  const until = new Date(now.getTime() + tryMs)
  if (!(await reserveTry(db, known, until))) return { may: false, trouble }
  return { may: true, known: { ...known, retryAt: until }, before: trouble }
}

/** `code` is safe to show, and `why` is for operators. `firstMs` replaces the first pause. */
export type Failed = {
  failure: LoginFailure
  code: string
  why: string
  firstMs?: number | undefined
}

/** The login has failed: puts the next one off. Answers what is known from now on. */
export async function failedLogin(
  db: Db,
  { known, before }: Pick<Permit, 'known' | 'before'>,
  settings: string,
  { failure, code, why, firstMs }: Failed,
  now: Date,
): Promise<Trouble> {
  const { id, server } = known
  const part = server === 'smtp' ? 'sending' : 'reading'
  const problemSince = await noteProblem(db, part, id, code, now)
  const last = before.retry?.settings === settings ? before.retry : null
  const recent = [...(last?.failedAt ?? []), now.toISOString()].filter(
    (at) => now.getTime() - Date.parse(at) < hourMs,
  )
  const failedAt = failure === 'refused' ? recent : (last?.failedAt ?? [])
  const moments = failedAt.map((at) => new Date(at))
  const ms = pauseAfter(failure, { lastMs: last?.ms ?? 0, failedAt: moments, now, firstMs })
  const { longestMs } = loginPauses[failure]
  const askedAt = before.retry?.askedAt
  const retry: AccountRetry = {
    ms,
    longestMs,
    settings,
    code,
    why,
    failedAt,
    ...(askedAt && { askedAt }),
  }
  const retryAt = new Date(now.getTime() + ms)
  await putOffTry(db, known, retryAt, retry)
  return { problem: code, problemSince, retryAt, retry }
}
const hourMs = 60 * 60_000

/**
 * The login has succeeded. Answers since when the account could not be used to send, if it could not; that a mailbox can be read
 * again is for its reader to say, once it has read it.
 */
export async function loggedIn(
  db: Db,
  { known, before }: Pick<Permit, 'known' | 'before'>,
  now: Date,
) {
  if (before.problem === null && before.problemSince === null && before.retryAt === null)
    return null
  if (known.server === 'smtp') return noteProblem(db, 'sending', known.id, null, now)
  await forgetTries(db, known.id, known.server)
  return null
}
