import { setTimeout as sleep } from 'node:timers/promises'
import { ApplicationFailure } from '@temporalio/common'
import { msToNumber } from '@temporalio/common/lib/time.js'
import type { Account, CampaignFacts, Run } from '../../db/campaigns/facts.ts'
import { areOneMember, bindTouch } from '../../db/campaigns/signers.ts'
import { allowedFor, failTouches, type NextTouch } from '../../db/campaigns/touches.ts'
import { takeTurn } from '../../db/campaigns/turns.ts'
import { holdIn, putOffHeld } from '../../db/people/holds.ts'
import type { Pace } from '../../rules/pace.ts'
import { tellOutcome } from '../common/outcomes.ts'
import type { Deps } from '../deps.ts'
import { attemptLetter } from './attempt.ts'
import { briefOf, writeText } from './write-letter.ts'

/** How many letters a sitting has settled, by outcome; `deferred` were put off by their server. */
export type Counts = { sent?: number; failed?: number; deferred?: number; unconfirmed?: number }

export const count = (counts: Counts, what: keyof Counts) => {
  counts[what] = (counts[what] ?? 0) + 1
}

/** The accounts that could not be opened: why, and how long to wait for the next try. */
export type Troubled = Map<string, { text: string; delayMs: number }>

type Sending = {
  run: Run
  facts: CampaignFacts
  pace: Pace
  letter: NextTouch
  epoch: number
  asked?: boolean | undefined
  counts: Counts
  troubled: Troubled
}
/** `moved`: the letter or its account is no longer as it was read. `refused`: its claim was refused. */
type Done = 'sent' | 'moved' | 'refused'

/**
 * Sends one letter of a campaign through an account that is free: binds it, writes it and makes an attempt. An account that
 * cannot be opened is noted in `troubled`.
 */
export async function sendLetter(deps: Deps, sending: Sending): Promise<Done> {
  const { db, clock } = deps
  const { run, facts, letter, epoch, asked, counts, troubled } = sending
  const now = clock.now()
  if (holdIn(letter, now)) {
    await putOffHeld(db, letter, now)
    return 'moved'
  }
  const account = accountFor(sending)
  if (!account) return 'refused'
  if (account.gapSeconds > 0 && !account.turnAt) {
    account.turnAt = await takeTurn(db, account.id, run.id, now)
    if (account.turnAt > now) return 'moved'
  }
  const bound = await bind(account)
  const written = bound.text === null ? await write(account) : {}
  if (!written) {
    count(counts, 'failed')
    return 'moved'
  }
  const touch = { ...bound, ...written }
  const settled = await attempt(account)
  if (settled === 'troubled') return 'moved'
  if (!settled) return 'refused'
  tellOutcome(deps, 'letter', touch, { ...touch, ...settled })
  count(
    counts,
    settled.state === 'sending'
      ? 'unconfirmed'
      : settled.state === 'queued'
        ? 'deferred'
        : (settled.state as 'sent' | 'failed'),
  )
  account.usedDay++
  account.usedWeek++
  account.lastClaimAt = now
  return settled.state === 'sent' ? 'sent' : 'moved'

  /**
   * Letters that accounts of several members may send are bound to one of them, and written again if another member has signed
   * them.
   */
  async function bind({ id, member }: Account): Promise<NextTouch> {
    if (letter.connection !== null) return letter
    const isOne = areOneMember(facts.senders)
    const anew = letter.signedBy !== null && letter.signedBy !== member
    if (isOne && !anew) return letter
    const connection = isOne ? null : id
    await bindTouch(db, letter.id, connection, anew)
    const dropped = { subject: null, text: null, writtenAt: null, brief: null, agreed: false }
    return { ...letter, connection, ...(anew && dropped) }
  }

  async function write({ member, memberName: name, signature }: Account) {
    const { address: to, personName, jobTitle, company, instructions } = letter
    if (to === null) {
      await db
        .transaction()
        .execute((trx) => failTouches(trx, { id: letter.id }, 'no_contact', now))
      return undefined
    }
    return writeText(deps, bound, {
      to,
      brief: await briefOf(db, run),
      signer: { member, name, signature },
      person: { name: personName, jobTitle, company },
      instructions,
    })
  }

  async function attempt({ id }: Account) {
    try {
      return await attemptLetter(deps, touch, { epoch, connection: id, byRunner: true, asked })
    } catch (error) {
      if (!isOfAccount(error)) throw error
      if (error.type === 'busy') await sleep(busyMs)
      else troubled.set(id, { text: error.message, delayMs: nextTryOf(error) })
      return 'troubled'
    }
  }
}

// Other letters of the account are being handed over.
const busyMs = 500

/** The account that sends a letter: its own or, if it is bound to none, the one with the most units left. */
function accountFor({ facts, pace, letter, troubled }: Sending): Account | undefined {
  const free = allowedFor(letter.place, pace.senders, facts.behind).flatMap(
    (id) => facts.senders.find((sender) => sender.id === id && !troubled.has(id)) ?? [],
  )
  if (letter.connection !== null) return free.find(({ id }) => id === letter.connection)
  return free.find(({ member }) => member === letter.signedBy) ?? free[0]
}

// An account that works again is noticed within this time, whatever it waits for.
const longestMs = 60_000
const nextTryOf = ({ nextRetryDelay = longestMs }: ApplicationFailure) =>
  Math.min(msToNumber(nextRetryDelay), longestMs)

// Nothing was claimed: the account cannot be opened, or has no place for another letter.
const isOfAccount = (error: unknown): error is ApplicationFailure =>
  error instanceof ApplicationFailure &&
  error.type !== 'worker_stopping' &&
  error.type !== 'model_busy'
