import { findCampaignFacts, findRun } from '../../db/campaigns/facts.ts'
import { allowedFor } from '../../db/campaigns/next-touch.ts'
import { areOneMember, bindTouch, listSigners } from '../../db/campaigns/signers.ts'
import { touchKind } from '../../db/campaigns/touch-life.ts'
import * as sending from '../../db/campaigns/touch-sending.ts'
import { findTouch, type TouchRow } from '../../db/campaigns/touches.ts'
import { putOffHeld } from '../../db/people/holds.ts'
import { paceOf } from '../../rules/pace.ts'
import type { Asked, TouchInput } from '../../workflows/inputs.ts'
import type { Outcome } from '../../workflows/outcome.ts'
import type { InHand } from '../../workflows/signals.ts'
import { outcomeOf, tellOutcome } from '../common/outcomes.ts'
import type { Deps } from '../deps.ts'
import { type Resolution, reconcile, resolve } from '../outgoing/settle.ts'
import { attemptLetter } from './attempt.ts'
import { writeLetterOf } from './write-letter.ts'

/** Workflows of 0.3.0 do not ask for the outcome. */
type Tells = { tells?: true }
type Delivered = 'settled' | 'unconfirmed'

export const deliverTouchActivities = (deps: Deps) => {
  const { db, clock } = deps

  return {
    /**
     * Checks whether the letter may go, writes it, and notes its workflow. False: it must not be delivered now. Safe to retry:
     * a letter is written only once.
     */
    async prepareTouch(
      input: TouchInput & Tells & { workflow: string },
    ): Promise<boolean | { outcome: Outcome }> {
      if (await prepare(input)) return true
      return input.tells ? { outcome: outcomeOf(await findTouch(db, input.touch)) } : false
    },

    /**
     * Makes one attempt to deliver; `unconfirmed` if it cannot be known whether the letter arrived. Safe to retry: an attempt
     * that finds another attempt's marker never sends, it reconciles.
     */
    async deliverTouch(
      input: TouchInput & Tells & Asked,
    ): Promise<Delivered | { is: Delivered; outcome: Outcome; searchable: boolean }> {
      const touch = await findTouch(db, input.touch)
      // An unconfirmed letter is checked again: mail that has come in since may prove that it arrived.
      if (touch?.state === 'sending') await reconcile(deps, touchKind, touch)
      else if (touch?.state === 'queued' && !input.parked && (await isOurs(input)))
        await attempt(touch, input)
      const after = await findTouch(db, input.touch)
      tellOutcome(deps, 'letter', touch, after)
      const is = after?.state === 'sending' ? 'unconfirmed' : 'settled'
      const searchable = deps.searchable?.() === true
      return input.tells ? { is, outcome: outcomeOf(after), searchable } : is
    },

    /** The account of a letter that is being sent or is unconfirmed; null if it is neither. Safe to retry: it only reads. */
    async findTouchInHand(input: { touch: string }): Promise<InHand | null> {
      const touch = await findTouch(db, input.touch)
      return touch?.state === 'sending' ? { connection: touch.connection } : null
    },

    /** Writes down what a person found out about an unconfirmed letter. Safe to retry: only an unconfirmed one is changed. */
    resolveTouch({ touch, ...found }: { touch: string } & Resolution): Promise<void> {
      return resolve(deps, touchKind, touch, found)
    },
  }

  async function prepare(input: TouchInput & { workflow: string }): Promise<boolean> {
    const touch = await findTouch(db, input.touch)
    // Whatever has happened to the campaign meanwhile, a letter that is being sent is settled.
    if (touch?.state === 'sending') return true
    if (touch?.state !== 'queued' || input.parked || !(await isOurs(input))) return false
    if (await putOffHeld(db, touch, clock.now())) return false
    await sending.noteWorkflow(db, input.touch, input.workflow)
    if (!(await bindToFree(touch))) return false
    await writeLetterOf(deps, input.touch)
    return (await findTouch(db, input.touch))?.state === 'queued'
  }

  function isOurs(input: TouchInput) {
    return db.transaction().execute((trx) => sending.mayClaim(trx, input.campaign, input.epoch))
  }

  async function attempt(touch: TouchRow, { epoch, asked }: TouchInput & Asked) {
    const connection = touch.connection ?? (await freeSenders(touch))[0]
    if (connection) await attemptLetter(deps, touch, { epoch, connection, byRunner: false, asked })
  }

  /** The accounts that are free to send a letter that is bound to none, those with the most units left today first. */
  async function freeSenders(touch: TouchRow): Promise<string[]> {
    const run = await findRun(db, touch.campaign)
    if (!run) return []
    const now = clock.now()
    const facts = await findCampaignFacts(db, run, now)
    return allowedFor(touch.place, paceOf(facts, now).senders, facts.behind)
  }

  /**
   * Binds a letter that accounts of several members may send to one that is free now, preferably of the member who signed it.
   * If another member signed it, it is written again. False if no account is free.
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
}
