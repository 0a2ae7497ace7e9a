import type { ConnectionRow } from '../../db/accounts/connections.ts'
import { isWaiting, loggedIn, mayLogIn } from '../../db/accounts/login-breaker.ts'
import { hastenTry } from '../../db/accounts/retries.ts'
import { loginPauses } from '../../rules/answers/login-pauses.ts'
import { whatToDo } from '../../rules/oauth.ts'
import { trouble } from '../common/failures.ts'
import { attemptInHand } from '../common/heartbeat.ts'
import type { Deps } from '../deps.ts'
import { noteFailedLogin } from '../ports/mail/failed-login.ts'
import { type MailSession, MailTrouble } from '../ports/mail/smtp.ts'
import { settingsOf } from './sessions.ts'

// While an account cannot be opened, its letters wait without trying. One try at a time finds out whether it works again, among
// all letters and processes, and each that fails makes the pause before the next one longer (db/accounts/login-breaker.ts). New
// settings, a success, also of a health check, and a person who asks for it end the pause.

const minute = 60_000
// Many letters may be asked at once to try again.
const askedApartMs = 5_000

/** Whether the account could not be opened when it was last tried. */
export const isTroubled = ({
  problem,
  problemSince,
  retryAt,
}: Pick<ConnectionRow, 'problem' | 'problemSince' | 'retryAt'>) =>
  problem !== null || problemSince !== null || retryAt !== null

/**
 * Returns the account if it may be tried now. `isAsked`: a person has asked to try at once.
 * @throws trouble until its next try is due.
 */
export async function untilDue(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  connection: ConnectionRow,
  isAsked: boolean,
): Promise<ConnectionRow> {
  if (!isResting(connection, clock.now())) return connection
  // The attempts that follow the one that was asked for are like all others.
  if (!isAsked || attemptInHand() > 1) throw cannotOpen(connection, clock.now())
  const known = await hastenTry(db, connection.id, clock.now(), askedApartMs)
  const hastened = { ...connection, ...known }
  if (isResting(hastened, clock.now())) throw cannotOpen(hastened, clock.now())
  return hastened
}

/**
 * Opens the account. One that is in trouble is opened only by whoever reserves the try.
 * @throws trouble if it cannot be opened, or another one is trying.
 */
export async function openOnce(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'refusedPauseMs'>,
  read: ConnectionRow,
  open: () => Promise<MailSession>,
): Promise<MailSession> {
  const { db, clock, log } = deps
  const settings = settingsOf(read)
  // Others may have failed while this letter waited for its turn.
  const permit = await mayLogIn(db, { id: read.id, server: 'smtp', settings }, clock.now())
  if (!permit.may) throw cannotOpen({ ...read, ...permit.trouble }, clock.now())
  const session = await open().catch((error: unknown) => {
    if (error instanceof MailTrouble) return error
    throw error
  })
  const now = clock.now()
  if (!(session instanceof MailTrouble)) {
    try {
      const since = await loggedIn(db, permit, now)
      if (since) log.info({ connection: read.id, since }, 'the account can be opened again')
      return session
    } catch (error) {
      session.close()
      throw error
    }
  }
  const failed = await noteFailedLogin(deps, permit, { server: read.smtp, settings }, session)
  throw cannotOpen({ ...read, ...failed }, now)
}

function isResting(connection: ConnectionRow, now: Date) {
  return isWaiting(connection, { server: 'smtp', settings: settingsOf(connection) }, now)
}

/**
 * The sentence says what an operator needs: what is wrong, where, since when, and what can be done. Until the account works
 * again it is the same at each attempt, except for the moment of the next try at its end.
 */
function cannotOpen({ id, oauth, problemSince, retryAt, retry }: ConnectionRow, now: Date) {
  const { code, why, longestMs } = retry ?? {
    ...loginPauses.unreachable,
    ...{ code: 'smtp_unreachable', why: '' },
  }
  const since = (problemSince ?? now).toISOString()
  const apart =
    longestMs > minute ? (longestMs > 15 * minute ? 'an hour' : 'a quarter of an hour') : 'a minute'
  const todo = whatToDo(code, { id, oauth })
  const text = `The account ${id} cannot be opened (${why}) since ${since}.${todo ? ` ${todo}` : ''} It is tried at most ${apart} apart; the update retryNow tries at once.`
  const leftMs = (retryAt ?? now).getTime() - now.getTime()
  const isTrying = retry?.isTrying || leftMs <= 0
  const next = isTrying ? 'It is being tried now.' : `The next try is at ${retryAt?.toISOString()}.`
  return trouble(code, `${text} ${next}`, {
    connection: id,
    text,
    nextRetryDelay: Math.round(isTrying ? between(2_000, 10_000) : delayOf(leftMs)),
  })
}

/**
 * When a letter that waits looks again: at the latest after a minute, since the account may work again before its next try is
 * due, and not all letters within the same second.
 */
function delayOf(leftMs: number) {
  const aheadMs = Math.max(leftMs, 1_000)
  const delayMs = between(aheadMs, aheadMs + Math.min(aheadMs, 15_000))
  return delayMs < minute ? delayMs : between(0.75 * minute, minute)
}

const between = (least: number, most: number) => least + Math.random() * (most - least)
