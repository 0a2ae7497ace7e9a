import { forgetRefused, noteRefused } from '../../db/accounts/refusals.ts'
import { beginRest, endRest, giveProbeBack } from '../../db/accounts/rests.ts'
import { wakeRunners } from '../../db/campaigns/campaigns.ts'
import { wakeResting } from '../../db/conversations/message-turns.ts'
import type { Trx } from '../../db/database.ts'
import type { SmtpCause } from '../../rules/answers/causes.ts'
import { codeOfRefusal, type Handover, meaningOf } from '../ports/mail/smtp.ts'

// What the answer to one letter means for the account that it went through.

type Letter = { connection: string | null; toAddress?: string | null; address?: string }
type Turned = Extract<Handover, { kind: 'refused' | 'deferred' }>

/** How long a probe waits that its server has put off for a reason of its own. */
const againMs = 60_000

/**
 * Notes what a server has said that did not take a letter. Answers whether it is the account that it does not take: the account
 * rests then, and the letter is to go when it works again. `net`: that follows from one refusal after another alone.
 */
export async function noteTurned(
  trx: Trx,
  letter: Letter,
  handover: Turned,
  now: Date,
): Promise<{ probeAt: Date; net: boolean } | undefined> {
  const account = letter.connection
  const meaning = meaningOf(handover)
  if (account === null || !meaning) return undefined
  const words = handover.answer?.words ?? ''
  const rest = async (cause: SmtpCause) =>
    (await beginRest(trx, { account, server: 'smtp', cause, words, now })).probeAt
  if (meaning.concerns === 'account') return { probeAt: await rest(meaning.cause), net: false }
  const isServer = meaning.concerns === 'server'
  const to = (letter.toAddress ?? letter.address ?? '').toLowerCase()
  const code = codeOfRefusal(handover) ?? ''
  if (handover.kind === 'refused' && !isServer && (await noteRefused(trx, account, code, to)))
    return { probeAt: await rest('smtp_refusing'), net: true }
  await giveProbeBack(trx, { account, server: 'smtp' }, now, isServer ? againMs : 0)
  return undefined
}

/** The server has taken a letter: the account works, and what waited for it goes on. */
export async function noteWorks(trx: Trx, account: string, now: Date) {
  await forgetRefused(trx, account)
  if (await endRest(trx, { account, server: 'smtp' }, now)) await wakeAccount(trx, account)
}

/** What waits for an account looks again: messages, and the campaigns of its workspace. */
export async function wakeAccount(trx: Trx, account: string) {
  const found = await trx
    .selectFrom('connections')
    .select('workspace')
    .where('id', '=', account)
    .executeTakeFirst()
  if (!found) return
  await wakeRunners(trx, found)
  await wakeResting(trx, found.workspace, account)
}
