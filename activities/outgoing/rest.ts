import {
  beginRest,
  endRest,
  forgetRefused,
  giveProbeBack,
  noteRefused,
} from '../../db/accounts/rests.ts'
import { wakeRunners } from '../../db/campaigns/campaigns.ts'
import { wakeResting } from '../../db/conversations/message-turns.ts'
import type { Trx } from '../../db/database.ts'
import type { SmtpCause } from '../../rules/answers/causes.ts'
import { meaningOfSmtp } from '../../rules/answers/smtp.ts'
import type { Deps } from '../deps.ts'
import { codeOfRefusal, type Handover, type MailTrouble, meaningOf } from '../ports/mail/smtp.ts'
import { fewerSessions, fullFor } from './counted-sessions.ts'
import { resting } from './resting.ts'

// What the answer to one letter means for the account that it went through.

type Letter = { connection: string | null; toAddress?: string | null; address?: string }

/** A rest that has begun and was announced. `until`: null until somebody acts. */
export type Rest = { connection: string; cause: SmtpCause; until: Date | null }

/**
 * When the letter is to go again, if that does not follow from the rest; whether that follows from the net alone; and the rest, if it
 * is news.
 */
type Turned = { againAt: Date | null; net: boolean; rest?: Rest | undefined }

/** How long a probe waits that its server has put off for a reason of its own. */
const againMs = 60_000
// When another session of the account may have ended.
const sessionMs = 3_000
// A minute in which another letter tries whether the account works again.
const waysMs = 60_000

/**
 * Notes what a server has said that did not take a letter. Answers whether it is the account that it does not take: the account
 * rests then, and the letter is to go when it works again. `net`: that follows from one refusal after another alone.
 */
export async function noteTurned(
  trx: Trx,
  letter: Letter,
  handover: Extract<Handover, { kind: 'refused' | 'deferred' }>,
  now: Date,
): Promise<Turned | undefined> {
  const account = letter.connection
  const meaning = meaningOf(handover)
  if (account === null || !meaning) return undefined
  const words = handover.answer?.words ?? ''
  const begin = async (cause: SmtpCause) => {
    const { probeAt, ...begun } = await beginRest(trx, {
      account,
      server: 'smtp',
      cause,
      words,
      now,
    })
    return { probeAt, rest: newsOf(account, cause, begun) }
  }
  if (meaning.concerns === 'account') {
    const isSessions = meaning.cause === 'smtp_sessions'
    if (isSessions && (await fewerSessions(trx, account, 1, now)))
      return { againAt: new Date(now.getTime() + sessionMs), net: false }
    const { rest } = await begin(meaning.cause)
    return { againAt: null, net: false, rest }
  }
  const isServer = meaning.concerns === 'server'
  const to = (letter.toAddress ?? letter.address ?? '').toLowerCase()
  const code = codeOfRefusal(handover) ?? ''
  if (handover.kind === 'refused' && !isServer && (await noteRefused(trx, account, code, to))) {
    const { probeAt, rest } = await begin('smtp_refusing')
    return { againAt: new Date(probeAt.getTime() + waysMs), net: true, rest }
  }
  await giveProbeBack(trx, { account, server: 'smtp' }, now, isServer ? againMs : 0)
  return undefined
}

const newsOf = (
  connection: string,
  cause: SmtpCause,
  { until, firstTime }: { until: Date | null; firstTime: boolean },
): Rest | undefined => (firstTime ? { connection, cause, until } : undefined)

/** Says in the log that an account rests, as often as its member is notified. */
export function logRest({ log }: Pick<Deps, 'log'>, rest: Rest | undefined) {
  if (rest) log.warn(rest, 'the account rests, because of what its mail server has said')
}

// What is refused at the login is of the account, but a wrong password has a breaker of its own.
const ofLogin = new Set<SmtpCause>(['smtp_login_refused', 'smtp_rate'])

/**
 * Notes why a server has not let an account in.
 * @throws trouble where the account rests from now on, or goes on with fewer sessions.
 */
export async function noteNotLetIn(
  { db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>,
  { id }: { id: string },
  { answer }: MailTrouble,
) {
  const meaning = answer && meaningOfSmtp(answer)
  if (meaning?.concerns !== 'account' || ofLogin.has(meaning.cause)) return
  const { cause } = meaning
  const now = clock.now()
  const rest = await db.transaction().execute(async (trx) => {
    if (cause === 'smtp_sessions')
      return (await fewerSessions(trx, id, 0, now)) ? 'fewer' : undefined
    return beginRest(trx, { account: id, server: 'smtp', cause, words: answer?.words ?? '', now })
  })
  if (rest === 'fewer') {
    log.info({ connection: id }, 'the account has fewer sessions for a while')
    throw fullFor(id)
  }
  if (!rest) return
  logRest({ log }, newsOf(id, cause, rest))
  throw resting(id, { cause, until: rest.until })
}

type Account = { id: string; workspace: string }

/** The server has taken a letter: the account works, and what waited for it goes on. */
export async function noteWorks(trx: Trx, account: Account, now: Date) {
  await forgetRefused(trx, account.id)
  if (await endRest(trx, { account: account.id, server: 'smtp' }, now))
    await wakeAccount(trx, account)
}

/** What waits for an account looks again: messages, and the campaigns of its workspace. */
export async function wakeAccount(trx: Trx, { id, workspace }: Account) {
  await wakeRunners(trx, { workspace }, 'accounts')
  await wakeResting(trx, workspace, id)
}
