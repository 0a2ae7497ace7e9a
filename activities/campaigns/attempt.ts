import type { ConnectionRow } from '../../db/accounts/connections.ts'
import { restMeanwhile } from '../../db/campaigns/account-rests.ts'
import { forgetText } from '../../db/campaigns/agreements.ts'
import { findLetterBefore } from '../../db/campaigns/briefs.ts'
import { readdressLetters } from '../../db/campaigns/readdress.ts'
import { bindTouch } from '../../db/campaigns/signers.ts'
import { claimTouch, touchKind } from '../../db/campaigns/touch-life.ts'
import * as sending from '../../db/campaigns/touch-sending.ts'
import {
  failTouches,
  type TouchRow,
  type WrittenText,
  writeTouch,
} from '../../db/campaigns/touches.ts'
import type { Trx } from '../../db/database.ts'
import { putOffHeld } from '../../db/people/holds.ts'
import { type Ruling, rulingOn } from '../../rules/claim.ts'
import { dayIn, mondayIn, nextDayIn } from '../../rules/hours.ts'
import { type LetterHead, messageIdOf } from '../../rules/outgoing.ts'
import { personalName } from '../../rules/personal-name.ts'
import type { Deps } from '../deps.ts'
import { isTroubled } from '../outgoing/breaker.ts'
import type { Parcel } from '../outgoing/handover.ts'
import { touchLetter, withWayOut } from './touch-mail.ts'

// One attempt at a letter of a campaign, by the runner of its campaign.

type Attempt = {
  epoch: number
  /** The account that it goes through. */
  connection: string
  asked?: boolean | undefined
  /** Its text, if that is not stored yet: the claim stores it. */
  text?: WrittenText | undefined
  /** The account as it was read ahead: the letter is not claimed if it has changed. */
  read?: ConnectionRow | undefined
}

/** What is handed over of a letter, with its claim; undefined if it is not written. */
export async function parcelOf(
  deps: Deps,
  row: TouchRow,
  attempt: Attempt,
): Promise<Parcel<TouchRow> | undefined> {
  const { db, clock } = deps
  const { connection, asked } = attempt
  const touch = { ...row, ...attempt.text }
  const { toAddress } = touch
  if (touch.text === null || toAddress === null) return undefined
  // Nothing was sent before the first letter.
  const before = touch.place === 1 ? [] : await findLetterBefore(db, touch, connection)
  const references = before.map(({ messageId }) => messageId as string)
  const unsubscribeUrl = `${deps.publicUrl}/u/${touch.token}`
  const written = { ...touch, ...withWayOut({ ...touch, text: touch.text }, unsubscribeUrl) }
  let messageId = touch.messageId ?? ''
  let head: LetterHead | undefined
  let isTheirs = true
  return {
    kind: touchKind,
    row,
    asked,
    connection,
    to: toAddress,
    letter: ({ account, member, memberName: from }) => {
      isTheirs = touch.signedBy === null || touch.signedBy === member
      messageId ||= messageIdOf(touch.id, account)
      const to = personalName(touch.personName) ?? ''
      const inReplyTo = references.at(-1) ?? null
      const date = clock.now().toISOString()
      head = { date, from, to, cc: [], inReplyTo, references, unsubscribeUrl }
      return { ...touchLetter(written, head), messageId }
    },
    claim: (marker, _, { isProbe }) =>
      db.transaction().execute(async (trx) => {
        if (isTheirs) {
          const claiming = { ...attempt, attempt: marker, messageId, head, isProbe }
          return claim(deps, trx, { ...row, toAddress }, claiming)
        }
        // The campaign's accounts have changed, so the letter is written again for the member of this account.
        await bindTouch(trx, touch.id, connection, true)
        return false
      }),
  }
}

/** Checks everything that may forbid the letter, with the campaign, the person and the connection locked. */
async function claim(
  { clock }: Deps,
  trx: Trx,
  touch: TouchRow & { toAddress: string },
  claim: Attempt & {
    attempt: string
    messageId: string
    head: LetterHead | undefined
    isProbe: boolean
  },
): Promise<boolean> {
  const { text, read } = claim
  /** A text that is not stored yet is kept for the next attempt. */
  const refuse = async (move?: () => Promise<unknown>) => {
    if (text) await writeTouch(trx, touch.id, text)
    await move?.()
    return false
  }
  const zone = touch.timezone
  const before = clock.now()
  const day = dayIn(zone, before)
  const { account: connection, obstacles: found } = await sending.lockForClaim(trx, touch, {
    epoch: claim.epoch,
    connection: claim.connection,
    day,
    monday: mondayIn(zone, before),
    now: before,
    brief: text?.brief ?? null,
  })
  if (!connection || (read && !isAsRead(read, connection)) || !found) return refuse()
  const now = clock.now()
  // The day has ended while another transaction held the locks: its counts are those of yesterday.
  if (dayIn(zone, now) !== day) return refuse()
  // Another letter may have begun to try whether a resting account works, since this one was picked.
  const isResting = !claim.isProbe && found.probeAt !== null
  const asked = { place: touch.place, account: connection, zone }
  const ruling = rulingOn({ ...found, isResting }, asked, now)
  if (ruling.do !== 'go') return refuse(() => carryOut(trx, touch, ruling, now))
  if (!(await claimTouch(trx, touch, { ...claim, now, day }))) return false
  await restMeanwhile(trx, connection, now)
  return true
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

/**
 * Whether an account is still as it was read ahead, in all that a hand-over depends on and the claim does not check otherwise.
 */
function isAsRead(
  read: ConnectionRow,
  locked: Omit<ConnectionRow, 'memberName' | 'probeAt'>,
): boolean {
  const told = ({ account, member, smtp, secrets, unconfirmedInRow }: typeof locked) =>
    JSON.stringify([account, member, smtp, secrets, unconfirmedInRow])
  return !isTroubled(locked) && told(read) === told(locked)
}
