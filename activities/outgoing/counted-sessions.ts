import { randomUUID } from 'node:crypto'
import type { ConnectionRow } from '../../db/accounts/connections.ts'
import {
  leaveSessionPlace,
  limitSessions,
  renewSessionPlace,
  takeSessionPlace,
} from '../../db/accounts/session-places.ts'
import type { Trx } from '../../db/database.ts'
import { trouble } from '../common/failures.ts'
import type { Deps } from '../deps.ts'
import type { MailSession } from '../ports/mail/smtp.ts'
import { closeSessions } from './sessions.ts'

// Sessions of accounts whose server has said that there are too many of them (db/accounts/session-places.ts).

const renewMs = 10_000
// Those who find no place come back, not all at once.
const shortestMs = 500
const longestMs = 3_000

/** The failure of an attempt that finds no session of its account. */
export const fullFor = (account: string) =>
  trouble('busy', 'The sessions of the account are all in use; the letter comes back.', {
    connection: account,
    nextRetryDelay: Math.round(shortestMs + Math.random() * (longestMs - shortestMs)),
  })

/** The open sessions of this process, by account. */
const open = new Map<string, number>()

/**
 * Opens a session in a place of its account, if these are limited.
 * @throws trouble if none is left; nothing was begun then.
 */
export async function inPlace(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  account: ConnectionRow,
  opening: () => Promise<MailSession>,
): Promise<MailSession> {
  const { id } = account
  const holder = randomUUID()
  const taken =
    account.sessionsMost === null
      ? 'free'
      : await takeSessionPlace(db, account, holder, clock.now())
  if (taken === 'full') throw fullFor(id)
  const leave = async () => {
    if (taken !== 'free') await leaveSessionPlace(db, id, taken, holder).catch(() => {})
  }
  const session = await opening().catch(async (error: unknown) => {
    await leave()
    throw error
  })
  open.set(id, openOf(id) + 1)
  const renewing =
    taken === 'free'
      ? undefined
      : setInterval(
          () => void renewSessionPlace(db, id, taken, holder).catch(() => {}),
          renewMs,
        ).unref()
  session.onOver(() => {
    clearInterval(renewing)
    const left = openOf(id) - 1
    left > 0 ? open.set(id, left) : open.delete(id)
    void leave()
  })
  return session
}

const openOf = (account: string) => open.get(account) ?? 0

/**
 * The server has refused one more session: there are fewer from now on, in all processes. `itself`: how many of the open ones that
 * was. False if it was the only one of this process.
 */
export async function fewerSessions(trx: Trx, account: string, itself: 0 | 1, now: Date) {
  const others = openOf(account) - itself
  if (others < 1) return false
  await limitSessions(trx, account, others, now)
  // Those that do nothing take the places of others.
  closeSessions(account)
  return true
}
