import { failedLogin, type Permit, type Trouble } from '../../../db/accounts/login-breaker.ts'
import type { MailServer } from '../../../db/accounts/tables.ts'
import type { Clock } from '../../../db/clock.ts'
import type { Db } from '../../../db/database.ts'
import { type MailTrouble, whyOfMail } from './smtp.ts'

/** `refusedPauseMs`: how long an account whose server refuses the login is left alone at first, if not as usual. */
type Deps = { db: Db; clock: Clock; refusedPauseMs?: number }

/**
 * The server of an account has not let it in: puts the next try off. `settings` are those that were tried. Answers what is known
 * from now on.
 */
export function noteFailedLogin(
  { db, clock, refusedPauseMs }: Deps,
  permit: Permit,
  { server, settings }: { server: MailServer | null; settings: string },
  error: MailTrouble,
): Promise<Trouble> {
  const { code, failure } = error
  const firstMs = failure === 'refused' ? refusedPauseMs : undefined
  const failed = { failure, code, why: whyOfMail(error, server), firstMs }
  return failedLogin(db, permit, settings, failed, clock.now())
}
