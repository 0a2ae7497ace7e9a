import { setTimeout as sleep } from 'node:timers/promises'
import { ApplicationFailure } from '@temporalio/common'
import { msToNumber } from '@temporalio/common/lib/time.js'
import type { ConnectionRow } from '../../db/accounts/connections.ts'
import { restMeanwhile } from '../../db/campaigns/account-rests.ts'
import { forgetText } from '../../db/campaigns/agreements.ts'
import type { Account, CampaignFacts, Run } from '../../db/campaigns/facts.ts'
import { allowedFor, type NextTouch } from '../../db/campaigns/next-touch.ts'
import { readdressLetters } from '../../db/campaigns/readdress.ts'
import { areOneMember, bindTouch } from '../../db/campaigns/signers.ts'
import { reviewUnmade } from '../../db/campaigns/templates.ts'
import { claimTouch, touchKind } from '../../db/campaigns/touch-life.ts'
import * as sending from '../../db/campaigns/touch-sending.ts'
import { failTouches, type TouchRow, unwritten, writeTouch } from '../../db/campaigns/touches.ts'
import { takeTurn } from '../../db/campaigns/turns.ts'
import type { Trx } from '../../db/database.ts'
import { holdIn, putOffHeld } from '../../db/people/holds.ts'
import { type Ruling, rulingOn } from '../../rules/claim.ts'
import { dayIn, mondayIn, nextDayIn } from '../../rules/hours.ts'
import { messageIdOf } from '../../rules/outgoing.ts'
import type { Pace } from '../../rules/pace.ts'
import { tellOutcome } from '../common/outcomes.ts'
import type { Deps } from '../deps.ts'
import { type Claimant, handOver } from '../outgoing/handover.ts'
import { type ClaimedTouch, headOf, letterOf } from './touch-mail.ts'
import { briefOf, composeText } from './write-letter.ts'

// One letter of a campaign, by the runner of its campaign: which account it goes through, its words, and its claim.

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

/** A letter that is written and bound, and the account that it goes through. */
export type Ready = { letter: NextTouch; account: Account; row: TouchRow }

/** Binds a letter to an account that is free, and writes it if it is not written yet; otherwise, answers why it does not go. */
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
  if (bound.text !== null) return { letter, account, row: bound }
  const text = await write(deps, sending, bound, account)
  if ('unmade' in text) {
    await reviewUnmade(db, letter.id, text.unmade)
    return 'moved'
  }
  if ('code' in text) {
    const told = text.code === 'no_contact' ? now : undefined
    await db.transaction().execute((trx) => failTouches(trx, { id: letter.id }, text.code, told))
    count(counts, 'failed')
    return 'moved'
  }
  await writeTouch(db, letter.id, text)
  return { letter, account, row: { ...bound, ...text } }
}

/** What a hand-over asks of its sitting, and what it reports to it. */
type Beside = {
  /** An account as it was read a moment ago. */
  account(id: string): Promise<ConnectionRow | undefined>
  /** The letter is claimed and is being handed over. */
  claimed(account: Account): void
  /** Its server has taken it, which is not written down yet. */
  taken(): void
}

/** One attempt to hand a letter over. An account that cannot be opened is noted in `troubled`. */
export async function handLetter(
  deps: Deps,
  { letter, account, row }: Ready,
  { epoch, asked, counts, troubled }: Omit<Sending, 'letter'>,
  beside: Beside,
): Promise<Done> {
  const { db, letters = db } = deps
  try {
    const settled = await handOver(deps, {
      kind: touchKind,
      id: row.id,
      account: await beside.account(account.id),
      asked,
      claim: (by) =>
        letters.transaction().execute((trx) => claim(deps, trx, row, { ...by, epoch })),
      letter: (one) => letterOf(one),
      claimed: () => beside.claimed(account),
      taken: beside.taken,
    })
    if (!settled) return 'refused'
    tellOutcome(deps, 'letter', letter, { ...letter, connection: account.id, ...settled })
    count(counts, countedAs[settled.state])
    return settled.state === 'sent' ? 'sent' : 'moved'
  } catch (error) {
    if (!isOfAccount(error)) throw error
    if (error.type === 'busy') await sleep(busyMs)
    else troubled.set(account.id, { text: error.message, delayMs: nextTryOf(error) })
    return 'moved'
  }
}

const countedAs = {
  sent: 'sent',
  failed: 'failed',
  queued: 'deferred',
  sending: 'unconfirmed',
} as const

/** Checks everything that may forbid the letter, with the campaign, the person and the account locked. */
async function claim(
  { clock, publicUrl }: Deps,
  trx: Trx,
  touch: TouchRow,
  { attempt, account, isProbe, epoch }: Claimant & { epoch: number },
): Promise<ClaimedTouch | undefined> {
  const { toAddress } = touch
  if (toAddress === null) return undefined
  if (touch.signedBy !== null && touch.signedBy !== account.member) {
    // The campaign's accounts have changed, so the letter is written again for the member of this account.
    await bindTouch(trx, touch.id, account.id, true)
    return undefined
  }
  const zone = touch.timezone
  const before = clock.now()
  const day = dayIn(zone, before)
  const { account: locked, obstacles: found } = await sending.lockForClaim(
    trx,
    { ...touch, toAddress },
    { epoch, connection: account.id, day, monday: mondayIn(zone, before), now: before },
  )
  if (!locked || !found || !isAsRead(account, locked)) return undefined
  const now = clock.now()
  // The day has ended while another transaction held the locks: its counts are those of yesterday.
  if (dayIn(zone, now) !== day) return undefined
  // Another letter may have begun to try whether a resting account works, since this one was picked.
  const isResting = !isProbe && found.probeAt !== null
  const ruling = rulingOn(
    { ...found, isResting },
    { place: touch.place, account: locked, zone },
    now,
  )
  if (ruling.do !== 'go') {
    await carryOut(trx, touch, ruling, now)
    return undefined
  }
  const messageId = touch.messageId ?? messageIdOf(touch.id, account.account)
  const head = await headOf(trx, touch, account, `${publicUrl}/u/${touch.token}`, now)
  const marker = { connection: account.id, attempt, messageId, now, day, epoch, head }
  if (!(await claimTouch(trx, touch, marker))) return undefined
  await restMeanwhile(trx, locked, now)
  return { ...touch, messageId, head }
}

/** Whether the account is still as it was read, in all that a hand-over depends on and the claim does not check otherwise. */
function isAsRead(
  read: ConnectionRow,
  locked: Omit<ConnectionRow, 'memberName' | 'probeAt' | 'mode'>,
) {
  const checked = ({ account, member, smtp, secrets, unconfirmedInRow }: typeof locked) =>
    JSON.stringify([account, member, smtp, secrets, unconfirmedInRow])
  return checked(read) === checked(locked)
}

/** What becomes of a letter that may not go now. */
function carryOut(trx: Trx, touch: TouchRow, ruling: Ruling, now: Date): Promise<unknown> {
  switch (ruling.do) {
    case 'fail':
      return failTouches(trx, { id: touch.id }, ruling.reason, now)
    case 'readdress':
      return readdressLetters(trx, touch.person, now, touch.id)
    case 'hold':
      return putOffHeld(trx, touch, now)
    case 'review':
      return sending.reviewTouch(trx, touch.id)
    case 'forget':
      return forgetText(trx, touch.id)
    case 'postpone':
      return sending.postponeTouch(trx, touch.id, nextDayIn(touch.timezone, now))
    default:
      return Promise.resolve()
  }
}

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
