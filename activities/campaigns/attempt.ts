import { restMeanwhile } from '../../db/campaigns/account-rests.ts'
import { forgetText } from '../../db/campaigns/agreements.ts'
import { findLetterBefore } from '../../db/campaigns/briefs.ts'
import { bindTouch } from '../../db/campaigns/signers.ts'
import { claimTouch, touchKind } from '../../db/campaigns/touch-life.ts'
import * as sending from '../../db/campaigns/touch-sending.ts'
import { failTouches, type TouchRow } from '../../db/campaigns/touches.ts'
import type { Trx } from '../../db/database.ts'
import { putOffHeld } from '../../db/people/holds.ts'
import { holdOf, unfitLevels } from '../../rules/budgets.ts'
import { dayIn, mondayIn, nextDayIn, windowAt } from '../../rules/hours.ts'
import { messageIdOf } from '../../rules/outgoing.ts'
import { personalName } from '../../rules/personal-name.ts'
import type { Deps } from '../deps.ts'
import { handOver } from '../outgoing/handover.ts'
import type { Settled } from '../outgoing/settle.ts'
import { phrases } from '../ports/model/writer-phrases.ts'

// One attempt at a letter of a campaign, by its own workflow or by the runner of its campaign.

type Attempt = {
  epoch: number
  /** The account that it goes through. */
  connection: string
  /** The campaign's runner sends it, so that the letter has no workflow. */
  byRunner: boolean
  asked?: boolean | undefined
}
/**
 * Answers what the attempt has come to; undefined if the letter was not claimed, and its row says why.
 * @throws trouble while the account cannot be opened; nothing was claimed then.
 */
export async function attemptLetter(
  deps: Deps,
  touch: TouchRow,
  { epoch, connection, byRunner, asked }: Attempt,
): Promise<Settled | undefined> {
  const { db, clock } = deps
  const { toAddress } = touch
  if (touch.text === null || toAddress === null) return undefined
  // Nothing was sent before the first letter.
  const before = touch.place === 1 ? [] : await findLetterBefore(db, touch, connection)
  const references = before.map(({ messageId }) => messageId as string)
  const unsubscribeUrl = `${deps.publicUrl}/u/${touch.token}`
  const letter = {
    subject: touch.subject ?? '',
    text: `${touch.text.trimEnd()}\n\n-- \n${phrases[touch.language ?? 'en'].unsubscribe} ${unsubscribeUrl}\n`,
    toName: personalName(touch.personName),
  }
  let messageId = touch.messageId ?? ''
  let isTheirs = true
  return handOver(deps, {
    kind: touchKind,
    row: touch,
    asked,
    connection,
    to: toAddress,
    letter: ({ account, member }) => {
      isTheirs = touch.signedBy === null || touch.signedBy === member
      messageId ||= messageIdOf(touch.id, account)
      return {
        ...letter,
        messageId,
        inReplyTo: references.at(-1) ?? null,
        references,
        unsubscribeUrl,
        automated: true,
        date: clock.now(),
      }
    },
    async claim(trx, attempt) {
      if (isTheirs)
        return claim(
          deps,
          trx,
          { ...touch, toAddress },
          { epoch, connection, byRunner, attempt, messageId },
        )
      // The campaign's accounts have changed, so the letter is written again for the member of this account.
      await bindTouch(trx, touch.id, connection, true)
      return false
    },
  })
}

/** Checks everything that may forbid the letter, with the campaign, the person and the connection locked. */
async function claim(
  { clock }: Deps,
  trx: Trx,
  touch: TouchRow & { toAddress: string },
  claim: Attempt & { attempt: string; messageId: string },
): Promise<boolean> {
  const connection = await sending.lockForClaim(trx, touch, claim)
  if (!connection) return false
  const now = clock.now()
  const zone = touch.timezone
  const day = dayIn(zone, now)
  const found = await sending.findObstacles(trx, touch, {
    connection: connection.id,
    day,
    monday: mondayIn(zone, now),
    now,
  })
  if (!found) return false
  if (found.refusal) {
    await failTouches(trx, { id: touch.id }, found.refusal, now)
    return false
  }
  if (found.hold) {
    await putOffHeld(trx, touch, now)
    return false
  }
  if (found.agreement !== 'agreed') {
    if (found.agreement === 'open') await sending.reviewTouch(trx, touch.id)
    else await forgetText(trx, touch.id)
    return false
  }
  if (found.isWrittenTo) {
    await sending.postponeTouch(trx, touch.id, nextDayIn(zone, now))
    return false
  }
  if (holdOf({ ...connection, ...found }, zone, now)) return false
  if (touch.place > 1 && found.isBehind) return false
  // A sitting reads the accounts of its campaign from time to time only.
  if (claim.byRunner && !found.isSender) return false
  if (unfitLevels.includes(connection.health)) return false
  if (!found.agent?.enabled || !windowAt(found.agent.hours, now).open) return false
  if (!(await claimTouch(trx, touch, { ...claim, now, day }))) return false
  await restMeanwhile(trx, connection, now)
  return true
}
