import { setTimeout as sleep } from 'node:timers/promises'
import { ApplicationFailure } from '@temporalio/common'
import { msToNumber } from '@temporalio/common/lib/time.js'
import type { ConnectionRow } from '../../db/accounts/connections.ts'
import type { Account, CampaignFacts, Run } from '../../db/campaigns/facts.ts'
import { allowedFor, type NextTouch } from '../../db/campaigns/next-touch.ts'
import { areOneMember, bindTouch } from '../../db/campaigns/signers.ts'
import { reviewUnmade } from '../../db/campaigns/templates.ts'
import { failTouches, type TouchRow, unwritten, writeTouch } from '../../db/campaigns/touches.ts'
import { takeTurn } from '../../db/campaigns/turns.ts'
import { holdIn, putOffHeld } from '../../db/people/holds.ts'
import type { Pace } from '../../rules/pace.ts'
import { tellOutcome } from '../common/outcomes.ts'
import type { Deps } from '../deps.ts'
import { isTroubled } from '../outgoing/breaker.ts'
import { handOver, mailOf, type Parcel } from '../outgoing/handover.ts'
import { parcelOf } from './attempt.ts'
import { briefOf, composeText } from './write-letter.ts'

/** How many letters a sitting has settled, by outcome; `deferred` were put off by their server. */
export type Counts = { sent?: number; failed?: number; deferred?: number; unconfirmed?: number }

export const count = (counts: Counts, what: keyof Counts) => {
  counts[what] = (counts[what] ?? 0) + 1
}

/** The accounts that could not be opened: why, and how long to wait for the next try. */
export type Troubled = Map<string, { text: string; delayMs: number }>

export type Sending = {
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
export type Done = 'sent' | 'moved' | 'refused'

/** A letter that is written and may be claimed for an account. */
export type Ready = { account: Account; parcel: Parcel<TouchRow> }

/**
 * Makes a letter of a campaign ready to go through an account that is free: binds it and writes it. Otherwise, answers why it
 * does not go.
 */
export async function prepareLetter(
  deps: Deps,
  sending: Sending,
): Promise<Ready | Exclude<Done, 'sent'>> {
  const { db, clock } = deps
  const { run, letter, counts } = sending
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
  const { connection, anew } = bindingOf(sending, account)
  if (anew || connection !== letter.connection) await bindTouch(db, letter.id, connection, anew)
  const bound = { ...letter, connection, ...(anew && dropped) }
  const text = bound.text === null ? await write(deps, sending, bound, account) : undefined
  if (text && 'unmade' in text) {
    await reviewUnmade(db, letter.id, text.unmade)
    return 'moved'
  }
  if (text && 'code' in text) {
    const told = text.code === 'no_contact' ? now : undefined
    await db.transaction().execute((trx) => failTouches(trx, { id: letter.id }, text.code, told))
    count(counts, 'failed')
    return 'moved'
  }
  // What a model has written is kept, whatever becomes of the claim.
  const isStored = text !== undefined && deps.model !== undefined
  if (isStored) await writeTouch(db, letter.id, text)
  const parcel = await parcelOf(deps, isStored ? { ...bound, ...text } : bound, {
    ...attemptOf(sending, account),
    text: isStored ? undefined : text,
  })
  return parcel ? { account, parcel } : 'refused'
}

/**
 * The same while another letter is being handed over, without changing anything: all of it is a guess, which the claim checks.
 * Undefined if something would have to be written down first.
 */
export async function prepareAhead(
  deps: Deps,
  sending: Sending,
  findAccount: (id: string) => Promise<ConnectionRow | undefined>,
): Promise<Ready | undefined> {
  const { letter } = sending
  const account = accountFor(sending)
  if (!account || holdIn(letter, deps.clock.now())) return undefined
  const { connection, anew } = bindingOf(sending, account)
  if (anew || connection !== letter.connection) return undefined
  const isUnwritten = letter.text === null
  if (isUnwritten && (letter.address === null || deps.model)) return undefined
  const text = isUnwritten ? await write(deps, sending, letter, account) : undefined
  if (text && ('code' in text || 'unmade' in text)) return undefined
  const read = await findAccount(account.id)
  if (!read || isTroubled(read)) return undefined
  const parcel = await parcelOf(deps, letter, { ...attemptOf(sending, account), text, read })
  if (!parcel) return undefined
  return { account, parcel: { ...parcel, account: read, mail: await mailOf(read, parcel) } }
}

/**
 * Makes an attempt at a letter that is ready. An account that cannot be opened is noted in `troubled`. `tell` is told when the
 * letter is claimed, and when its server has taken it.
 */
export async function handLetter(
  deps: Deps,
  { letter, counts, troubled }: Sending,
  { account, parcel }: Ready,
  tell: Pick<Parcel<TouchRow>, 'claimed' | 'taken'>,
): Promise<Done> {
  const settled = await attempt()
  if (settled === 'troubled') return 'moved'
  if (!settled) return 'refused'
  tellOutcome(deps, 'letter', letter, { ...letter, connection: account.id, ...settled })
  count(
    counts,
    settled.state === 'sending'
      ? 'unconfirmed'
      : settled.state === 'queued'
        ? 'deferred'
        : settled.state,
  )
  return settled.state === 'sent' ? 'sent' : 'moved'

  async function attempt() {
    try {
      return await handOver(deps, { ...parcel, ...tell })
    } catch (error) {
      if (!isOfAccount(error)) throw error
      if (error.type === 'busy') await sleep(busyMs)
      else troubled.set(account.id, { text: error.message, delayMs: nextTryOf(error) })
      return 'troubled'
    }
  }
}

const attemptOf = ({ epoch, asked }: Sending, { id: connection }: Account) => ({
  epoch,
  connection,
  asked,
})

const dropped = { ...unwritten, agreed: false }

/**
 * The account to bind a letter to: letters that accounts of several members may send are bound to one of them. `anew`: another
 * member has signed it, so it is written again.
 */
function bindingOf({ facts, letter }: Sending, { id, member }: Account) {
  if (letter.connection !== null) return { connection: letter.connection, anew: false }
  const anew = letter.signedBy !== null && letter.signedBy !== member
  return { connection: areOneMember(facts.senders) ? null : id, anew }
}

async function write(
  deps: Deps,
  { run, letter }: Sending,
  bound: TouchRow,
  { member, memberName: name, memberJob: jobOfMember, signature }: Account,
) {
  const { address: to, personName, jobTitle, company, city, fields, instructions } = letter
  if (to === null) return { code: 'no_contact' }
  return composeText(deps, bound, {
    to,
    brief: await briefOf(deps.db, run),
    signer: { member, name, jobTitle: jobOfMember, signature },
    person: { name: personName, jobTitle, company, city, fields },
    instructions,
  })
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
