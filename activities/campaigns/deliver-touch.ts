import { findUsage, lockForClaim } from '../../db/accounts/connections.ts'
import { listBehind } from '../../db/accounts/mailboxes.ts'
import { restMeanwhile } from '../../db/campaigns/account-rests.ts'
import { agreementOn, forgetText } from '../../db/campaigns/agreements.ts'
import { findLetterBefore } from '../../db/campaigns/briefs.ts'
import { findCampaignFacts } from '../../db/campaigns/facts.ts'
import { endLetters } from '../../db/campaigns/leaving.ts'
import { areOneMember, bindTouch, listSigners } from '../../db/campaigns/signers.ts'
import * as sending from '../../db/campaigns/touch-sending.ts'
import {
  allowedFor,
  failTouches,
  findTouch,
  planNextLetter,
  type TouchRow,
} from '../../db/campaigns/touches.ts'
import { isReferredTo } from '../../db/conversations/message-sending.ts'
import type { Trx } from '../../db/database.ts'
import { recordAudit } from '../../db/events/audit.ts'
import { putOffHeld } from '../../db/people/holds.ts'
import type { CampaignState, Hours } from '../../db/schema.ts'
import { messageIdOf, nextTry } from '../../rules/outgoing.ts'
import {
  addWeekdays,
  dayIn,
  followUpWeekdays,
  holdOf,
  mondayIn,
  nextDayIn,
  paceOf,
  windowAt,
} from '../../rules/pace.ts'
import type { TouchInput } from '../../workflows/inputs.ts'
import type { Outcome } from '../../workflows/outcome.ts'
import type { InHand } from '../../workflows/signals.ts'
import { byOperator } from '../common/operator.ts'
import { outcomeOf, tellOutcome } from '../common/outcomes.ts'
import type { Deps } from '../deps.ts'
import { handOver } from '../outgoing/handover.ts'
import { untilAbandoned } from '../outgoing/lease.ts'
import { codeOfRefusal } from '../ports/mail/smtp.ts'
import { personalName } from '../ports/model/names.ts'
import { phrases } from '../ports/model/writer-phrases.ts'
import { writeLetterOf } from './write-letter.ts'

/** Workflows of 0.3.0 do not ask for how it ended. */
type Tells = { tells?: true }
type Delivered = 'settled' | 'unconfirmed'

export const deliverTouchActivities = (deps: Deps) => {
  const { db, clock } = deps

  return {
    /**
     * Looks whether the letter may go, writes it and notes its workflow. False: it is not to be delivered now. Safe to retry:
     * a written letter is not written again.
     */
    async prepareTouch(
      input: TouchInput & Tells & { workflow: string },
    ): Promise<boolean | { outcome: Outcome }> {
      if (await prepare(input)) return true
      return input.tells ? { outcome: outcomeOf(await findTouch(db, input.touch)) } : false
    },

    /**
     * One attempt to deliver; `unconfirmed` when it cannot be known whether it arrived. Safe to retry: an attempt that finds
     * another attempt's marker never sends, it reconciles.
     */
    async deliverTouch(
      input: TouchInput & Tells,
    ): Promise<Delivered | { is: Delivered; outcome: Outcome; searchable: boolean }> {
      const touch = await findTouch(db, input.touch)
      // One that is unconfirmed is looked at anew: what has come in since may prove that it arrived.
      if (touch?.state === 'sending') await reconcile(touch)
      else if (touch?.state === 'queued' && (await isOurs(input))) await attempt(touch, input.epoch)
      const after = await findTouch(db, input.touch)
      tellOutcome(deps, 'letter', touch, after)
      const is = after?.state === 'sending' ? 'unconfirmed' : 'settled'
      const searchable = deps.searchable?.() === true
      return input.tells ? { is, outcome: outcomeOf(after), searchable } : is
    },

    /** Whose letter is on its way or unconfirmed; null when it is neither. Safe to retry: it only reads. */
    async findTouchInHand(input: { touch: string }): Promise<InHand | null> {
      const touch = await findTouch(db, input.touch)
      return touch?.state === 'sending' ? { connection: touch.connection } : null
    },

    /** What a person found out about an unconfirmed letter. Safe to retry: it acts on an unconfirmed one only. */
    async resolveTouch(input: {
      touch: string
      outcome: 'sent' | 'again'
      update?: string | undefined
    }): Promise<void> {
      const before = await findTouch(db, input.touch)
      const by = await byOperator(deps, input.update)
      await db.transaction().execute(async (trx) => {
        const planned = await findTouch(trx, input.touch)
        if (!planned) return
        const state = await sending.shareCampaign(trx, planned.campaign)
        const touch = await sending.lockTouch(trx, input.touch)
        if (touch?.state !== 'sending' || touch.reason !== 'unconfirmed') return
        const now = clock.now()
        if (input.outcome === 'sent') await sent(trx, { touch, attempt: null, now }, state)
        else await again(trx, { touch, attempt: null, now, nextTryAt: null }, state)
        await recordAudit(trx, {
          ...by,
          workspace: touch.workspace,
          at: now,
          action: 'touch.resolved',
          resource: touch.id,
          after: { outcome: input.outcome },
        })
      })
      tellOutcome(deps, 'letter', before, await findTouch(db, input.touch))
    },
  }

  async function prepare(input: TouchInput & { workflow: string }): Promise<boolean> {
    const touch = await findTouch(db, input.touch)
    // Whatever has become of the campaign meanwhile: what is on its way is settled.
    if (touch?.state === 'sending') return true
    if (touch?.state !== 'queued' || !(await isOurs(input))) return false
    if (await putOffHeld(db, touch, clock.now())) return false
    await db
      .updateTable('touches')
      .set({ workflow: input.workflow })
      .where('id', '=', input.touch)
      .execute()
    if (!(await bindToFree(touch))) return false
    await writeLetterOf(deps, input.touch)
    return (await findTouch(db, input.touch))?.state === 'queued'
  }

  function isOurs(input: TouchInput) {
    return db.transaction().execute((trx) => sending.mayClaim(trx, input.campaign, input.epoch))
  }

  async function attempt(touch: TouchRow, epoch: number) {
    if (touch.text === null || touch.toAddress === null) return
    const connection = touch.connection ?? (await freeSenders(touch))[0]
    if (!connection) return
    const before = await findLetterBefore(db, touch, connection)
    const references = before.map(({ messageId }) => messageId as string)
    const unsubscribeUrl = `${deps.publicUrl}/u/${touch.token}`
    const letter = {
      subject: touch.subject ?? '',
      text: `${touch.text.trimEnd()}\n\n-- \n${phrases[touch.language ?? 'en'].unsubscribe} ${unsubscribeUrl}\n`,
      toName: personalName(touch.personName),
    }
    let messageId = touch.messageId ?? ''
    let isTheirs = true
    await handOver(deps, {
      row: { table: 'touches', id: touch.id },
      connection,
      to: touch.toAddress,
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
      async claim(trx, marker) {
        if (isTheirs) return claim(trx, touch, { epoch, connection, attempt: marker, messageId })
        // The campaign's accounts have changed: it is written anew for the member of this one.
        await bindTouch(trx, touch.id, connection, true)
        return false
      },
      async settle(trx, marker, handover) {
        const now = clock.now()
        const state = await sending.shareCampaign(trx, touch.campaign)
        const current = (await sending.lockTouch(trx, touch.id)) as TouchRow
        const under = { touch: current, attempt: marker, now }
        if (handover.kind === 'accepted') await sent(trx, under, state)
        else if (handover.kind === 'refused')
          await sending.touchFailed(trx, {
            ...under,
            reason: 'refused',
            code: codeOfRefusal(handover),
          })
        else if (handover.kind === 'unknown') await sending.touchUnconfirmed(trx, under)
        else {
          const nextTryAt = nextTry(current, now)
          if (nextTryAt) await again(trx, { ...under, nextTryAt }, state)
          else
            await sending.touchFailed(trx, {
              ...under,
              reason: 'undeliverable',
              code: codeOfRefusal(handover),
            })
        }
      },
      held: async () => {},
    })
  }

  /** Everything that may forbid the letter, under the locks: campaign, person, connection. */
  async function claim(
    trx: Trx,
    touch: TouchRow,
    claim: { epoch: number; connection: string; attempt: string; messageId: string },
  ): Promise<boolean> {
    if (!(await sending.mayClaim(trx, touch.campaign, claim.epoch))) return false
    const connection = await lockForClaim(trx, touch.person, claim.connection)
    const now = clock.now()
    const zone = touch.timezone
    const day = dayIn(zone, now)
    const refusal = await sending.findRefusal(trx, touch, touch.toAddress)
    if (refusal) {
      await failTouches(trx, { id: touch.id }, refusal, now)
      return false
    }
    if (await putOffHeld(trx, touch, now)) return false
    const agreement = await agreementOn(trx, touch.id)
    if (agreement !== 'agreed') {
      if (agreement === 'open') await sending.reviewTouch(trx, touch.id)
      else await forgetText(trx, touch.id)
      return false
    }
    if (await sending.isWrittenToOn(trx, touch, day)) {
      await sending.postponeTouch(trx, touch.id, nextDayIn(zone, now))
      return false
    }
    const used = await findUsage(trx, connection.id, day, mondayIn(zone, now))
    if (holdOf({ ...connection, usedDay: used.day, usedWeek: used.week }, zone, now)) return false
    const behind = touch.place > 1 ? await listBehind(trx, touch.workspace) : []
    if (behind.some(({ id }) => id === connection.id)) return false
    if (connection.health === 'restricted' || connection.health === 'blocked') return false
    const agent = await trx
      .selectFrom('agents')
      .select(['enabled', 'hours'])
      .where('id', '=', touch.agent)
      .executeTakeFirst()
    if (!agent?.enabled || !windowAt(agent.hours as Hours, now).open) return false
    if (!(await sending.claimTouch(trx, touch, { ...claim, now, day }))) return false
    await restMeanwhile(trx, connection, now)
    return true
  }

  /** The accounts that are free to send a letter that is bound to none, those with most of their day left first. */
  async function freeSenders(touch: TouchRow): Promise<string[]> {
    const campaign = await db
      .selectFrom('campaigns')
      .selectAll()
      .where('id', '=', touch.campaign)
      .executeTakeFirstOrThrow()
    const now = clock.now()
    const zone = touch.timezone
    const facts = await findCampaignFacts(db, campaign, zone, {
      now,
      day: dayIn(zone, now),
      monday: mondayIn(zone, now),
    })
    return allowedFor(touch.place, paceOf(facts, now).senders, facts.behind)
  }

  /**
   * Binds a letter that may go through accounts of several members to one that is free now: it is from whom it is signed by.
   * What is signed by somebody else is written anew. False while none is free.
   */
  async function bindToFree(touch: TouchRow): Promise<boolean> {
    if (touch.connection !== null) return true
    const signers = await listSigners(db, touch.workspace, touch.campaign)
    if (areOneMember(signers)) {
      const signer = signers[0]?.member ?? touch.signedBy
      if (touch.signedBy !== null && touch.signedBy !== signer)
        await bindTouch(db, touch.id, null, true)
      return true
    }
    const free = (await freeSenders(touch)).flatMap(
      (id) => signers.find(({ connection }) => connection === id) ?? [],
    )
    const chosen = free.find(({ member }) => member === touch.signedBy) ?? free[0]
    if (!chosen) return false
    const anew = touch.signedBy !== null && touch.signedBy !== chosen.member
    await bindTouch(db, touch.id, chosen.connection, anew)
    return true
  }

  /** Sent: the next letter is planned for its weekday, in the agent's zone. */
  async function sent(trx: Trx, marker: sending.Marker, state: CampaignState) {
    const { touch, now } = marker
    const conversation = await sending.touchSent(trx, marker)
    if (!conversation || touch.place === 3 || state === 'done') return
    const agent = await trx
      .selectFrom('agents')
      .select('hours')
      .where('id', '=', touch.agent)
      .executeTakeFirst()
    const zone = (agent?.hours as Hours | undefined)?.zone ?? touch.timezone
    const weekdays = followUpWeekdays[(touch.place + 1) as 2 | 3]
    await planNextLetter(trx, touch, conversation, addWeekdays(zone, now, weekdays), now)
    // Whoever left the segment while this one was on its way gets no more.
    await endLetters(trx, touch.campaign, [touch.person], now)
  }

  /** Queued anew, or failed with what else was queued when the campaign has ended meanwhile. */
  async function again(
    trx: Trx,
    marker: sending.Marker & { nextTryAt: Date | null },
    state: CampaignState,
  ) {
    await sending.touchDeferred(trx, marker)
    const { id, campaign, person } = marker.touch
    if (state === 'done') await failTouches(trx, { id }, 'done', marker.now)
    else await endLetters(trx, campaign, [person], marker.now)
  }

  // Another attempt has claimed it. Once that is gone only evidence makes it sent; absence of evidence proves nothing.
  async function reconcile(touch: TouchRow) {
    if (touch.reason === null) await untilAbandoned(db, { table: 'touches', id: touch.id })
    const arrived = touch.messageId && (await isReferredTo(db, touch.workspace, touch.messageId))
    await db.transaction().execute(async (trx) => {
      const marker = { touch, attempt: touch.attempt, now: clock.now() }
      const state = await sending.shareCampaign(trx, touch.campaign)
      if (arrived) await sent(trx, marker, state)
      else await sending.touchUnconfirmed(trx, marker)
    })
  }
}
