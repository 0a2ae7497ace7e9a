import type { ConnectionRow } from '../../db/accounts/connections.ts'
import { noteProblem } from '../../db/accounts/problems.ts'
import { findTrouble, hastenTry, putOffTry, reserveTry } from '../../db/accounts/retries.ts'
import { whatToDo } from '../../rules/oauth.ts'
import { trouble } from '../common/failures.ts'
import { attemptInHand } from '../common/heartbeat.ts'
import type { Deps } from '../deps.ts'
import { type MailSession, MailTrouble, whyOfMail } from '../ports/mail/smtp.ts'
import { settingsOf } from './sessions.ts'

// While an account cannot be opened, its letters wait without trying. One try at a time finds out whether it works again, among
// all letters and processes, and each that fails doubles the pause before the next one: providers lock accounts that fail to log
// in again and again. New settings, a success, also of a health check, and a person who asks for it end the pause.

const minute = 60_000
const pauses = {
  refused: { firstMs: 15_000, longestMs: 60 * minute },
  other: { firstMs: 1_000, longestMs: minute },
}
// How long a try is reserved. Longer than opening a session takes, unless its server dawdles.
const tryMs = 90_000
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
  { db, clock, log, refusedPauseMs }: Pick<Deps, 'db' | 'clock' | 'log' | 'refusedPauseMs'>,
  read: ConnectionRow,
  open: () => Promise<MailSession>,
): Promise<MailSession> {
  // Others may have failed while this letter waited for its turn.
  const connection = { ...read, ...(await findTrouble(db, read.id)) }
  if (isResting(connection, clock.now())) throw cannotOpen(connection, clock.now())
  const known = { id: connection.id, retryAt: connection.retryAt }
  if (connection.retryAt !== null && isSame(connection)) {
    const now = clock.now()
    const until = new Date(now.getTime() + tryMs)
    if (!(await reserveTry(db, known, until))) throw cannotOpen(connection, now)
    known.retryAt = until
  }
  const session = await open().catch((error: unknown) => {
    if (error instanceof MailTrouble) return error
    throw error
  })
  const now = clock.now()
  if (!(session instanceof MailTrouble)) {
    if (!isTroubled(connection)) return session
    try {
      const since = await noteProblem(db, 'sending', connection.id, null, now)
      if (since) log.info({ connection: connection.id, since }, 'the account can be opened again')
      return session
    } catch (error) {
      session.close()
      throw error
    }
  }
  const problemSince = await noteProblem(db, 'sending', connection.id, session.code, now)
  const retry = nextPause(connection, session, refusedPauseMs)
  const retryAt = new Date(now.getTime() + retry.ms)
  await putOffTry(db, known, retryAt, retry)
  throw cannotOpen({ ...connection, problemSince, retryAt, retry }, now)
}

function nextPause(
  connection: ConnectionRow,
  error: MailTrouble,
  refusedMs = pauses.refused.firstMs,
) {
  const { code, isRefusal } = error
  const { smtp, retry } = connection
  const { firstMs, longestMs } = isRefusal
    ? { ...pauses.refused, firstMs: refusedMs }
    : pauses.other
  const ms = isSame(connection) ? Math.max(firstMs, 2 * (retry?.ms ?? 0)) : firstMs
  const why = whyOfMail(error, smtp)
  const settings = settingsOf(connection)
  const askedAt = retry?.askedAt
  return {
    ...{ ms: Math.min(ms, longestMs), longestMs, settings, code, why },
    ...(askedAt && { askedAt }),
  }
}

/** Whether what is known of the last try is of the account's present settings. */
const isSame = (connection: ConnectionRow) => connection.retry?.settings === settingsOf(connection)

function isResting(connection: ConnectionRow, now: Date) {
  const { problem, problemSince, retryAt, retry } = connection
  // Workers of earlier releases note that an account is well, and know of no pause.
  if (problem === null && problemSince === null) return false
  if (retryAt === null || retry === null || !isSame(connection)) return false
  const leftMs = retryAt.getTime() - now.getTime()
  // More than that is left only where the clock has been set back.
  return leftMs > 0 && leftMs <= Math.max(retry.longestMs, tryMs)
}

/**
 * The sentence says what an operator needs: what is wrong, where, since when, and what can be done. Until the account works
 * again it is the same at each attempt, except for the moment of the next try at its end.
 */
function cannotOpen({ id, oauth, problemSince, retryAt, retry }: ConnectionRow, now: Date) {
  const { code, why, longestMs } = retry ?? { ...pauses.other, code: 'smtp_unreachable', why: '' }
  const since = (problemSince ?? now).toISOString()
  const apart = longestMs > minute ? 'an hour' : 'a minute'
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
