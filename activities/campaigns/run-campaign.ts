import type { CampaignRow } from '../../db/campaigns/campaigns.ts'
import { findCampaignById, pauseRun } from '../../db/campaigns/campaigns.ts'
import { type CampaignFacts, findCampaignFacts } from '../../db/campaigns/facts.ts'
import { endLeft } from '../../db/campaigns/leaving.ts'
import { planFirstLetters } from '../../db/campaigns/planning.ts'
import { releaseFirstLetters } from '../../db/campaigns/signers.ts'
import { mayClaim, shareCampaign } from '../../db/campaigns/touch-sending.ts'
import {
  countInFlight,
  endBatch,
  findNextTouch,
  findRecipient,
  findTouch,
  listForReview,
  planBatch,
  releaseTouches,
} from '../../db/campaigns/touches.ts'
import { recordAudit } from '../../db/events/audit.ts'
import { endOperation, operationRuns, operationWaits } from '../../db/operations/operations.ts'
import { findZone } from '../../db/workspace/workspaces.ts'
import { limitsOf, mayWrite } from '../../rules/budgets.ts'
import type { WaitsFor } from '../../rules/campaign.ts'
import { paceOf } from '../../rules/pace.ts'
import type { DrainInput, RunnerInput } from '../../workflows/inputs.ts'
import { inFlightOf } from '../common/bounded.ts'
import { byOperator } from '../common/find-operator.ts'
import type { Deps } from '../deps.ts'
import { isModelTrouble } from '../ports/model/model.ts'
import { writeLetterOf } from './write-letter.ts'

/** What the runner does next. Delays are milliseconds from the moment of the answer. */
export type CampaignStep =
  | { do: 'end' }
  | { do: 'again' }
  | { do: 'deliver'; touch: string; person: string; connection?: string | null }
  | { do: 'wait'; blockedBy: WaitsFor; until: string | null; delayMs: number }

const reviewBatch = 25
// Writing for review takes a model seconds a letter. A step writes for this long, and the next step continues.
const reviewMs = 10_000
// Writing shares a task queue with short work on rows, so a slow model must not take all of its slots.
const reviewBound = { most: 100, code: 'model_busy' }
// How often a letter that could not be written is tried again; others are sent meanwhile.
const modelPollMs = 60_000
// How often a letter of an earlier runner is checked again; it is settled within seconds.
const inFlightPollMs = 2_000
// A letter may wait for its account for days; when it ends, it wakes the runner.
const letterPollMs = 60_000
// A signal says when a person has changed something. In case the signal is lost, the rows are read this often.
const heldPollMs = 10 * 60_000
// How long one activity ends what is left of a campaign that is done. The activity has ten seconds.
const endingMs = 3_000
// New people are signalled too.
const idlePollMs = 60 * 60_000

export const runCampaignActivities = (deps: Deps) => {
  const { db, clock, log } = deps
  return {
    /**
     * Plans first letters for people who have joined the segment and ends the letters of people who have left it, one batch of
     * each per call. Returns how many. Safe to retry: a person has one touch for each place.
     */
    async planLetters(input: RunnerInput): Promise<number> {
      return db.transaction().execute(async (trx) => {
        if (!(await mayClaim(trx, input.campaign, input.epoch))) return 0
        const campaign = (await findCampaignById(trx, input.campaign)) as CampaignRow
        if (!campaign.segment) return 0
        const now = clock.now()
        const ended = await endLeft(trx, campaign, now)
        const joined = { ...campaign, segment: campaign.segment }
        return ended + (await planFirstLetters(trx, joined, now, planBatch))
      })
    },

    /** Reads the rows and says what is next. Safe to retry: the claim checks again everything that is decided here. */
    async campaignStep(input: RunnerInput & { current: string | null }): Promise<CampaignStep> {
      const campaign = await findCampaignById(db, input.campaign)
      if (campaign?.state !== 'running' || campaign.runEpoch !== input.epoch) return { do: 'end' }
      const now = clock.now()
      const zone = await findZone(db, campaign.workspace)
      const facts = await findCampaignFacts(db, campaign, zone, now)
      const strays = straysOf(facts, now)
      if (strays.length > 0) {
        await releaseTouches(db, campaign.id, strays, now)
        return { do: 'again' }
      }
      const unfit = facts.senders.flatMap((sender) => (mayWrite(sender) ? [] : [sender.id]))
      if (unfit.length > 0 && unfit.length < facts.senders.length)
        if ((await releaseFirstLetters(db, campaign.id, unfit, now)) > 0) return { do: 'again' }
      const pace = paceOf(facts, now)
      const wait = (blockedBy: WaitsFor, until: Date | null, delayMs: number): CampaignStep => ({
        do: 'wait',
        blockedBy,
        until: until?.toISOString() ?? null,
        delayMs,
      })
      if (facts.inFlight > 0) return wait('in_flight', null, inFlightPollMs)
      const waiting = input.current === null ? undefined : await findWaiting(input.current, now)
      if (waiting) {
        // Letters go to one person at a time, but an account that cannot be opened holds up only its own letters.
        const account = facts.senders.find(({ id }) => id === waiting.connection)
        if (!account?.problem) return wait('in_flight', null, letterPollMs)
        if (!pace.now && pace.blockedBy === 'provider') return wait('provider', null, letterPollMs)
        if (!pace.now) return wait('in_flight', null, letterPollMs)
      }

      // Letters that are due within open hours but not agreed are written for review, up to one day's limit.
      const open =
        pace.now ||
        pace.blockedBy === 'review' ||
        pace.blockedBy === 'gap' ||
        pace.blockedBy === 'day_limit'
      if (open && facts.dueUnagreed) {
        const room =
          facts.senders.reduce((sum, sender) => sum + limitsOf(sender).day, 0) - facts.review
        const waiting =
          room > 0
            ? await listForReview(db, campaign.id, facts.agreed, now, Math.min(room, reviewBatch))
            : []
        if ((await writeForReview(waiting)) > 0) return { do: 'again' }
      }

      if (pace.now || (pace.blockedBy === 'provider' && pace.senders.length > 0)) {
        const touch = await findNextTouch(
          db,
          campaign.id,
          facts.agreed,
          pace.senders,
          facts.behind,
          now,
        )
        if (touch) {
          const { person, connection } = await findRecipient(db, touch)
          await operationRuns(db, input.operation)
          return { do: 'deliver', touch, person, ...(connection && { connection }) }
        }
        if (facts.unplanned > 0) return { do: 'again' }
      }
      const blockedBy = pace.blockedBy ?? 'nobody_left'
      await operationWaits(db, input.operation, blockedBy, pace.nextAt)
      if (blockedBy === 'review' && facts.dueUnagreed && facts.review === 0)
        return wait(blockedBy, pace.nextAt, modelPollMs)
      // The accounts that are free may not send what is due, so the runner waits for another.
      const soonest = pace.now ? inFlightPollMs : 0
      if (pace.nextAt)
        return wait(
          blockedBy,
          pace.nextAt,
          Math.max(soonest, pace.nextAt.getTime() - now.getTime()),
        )
      return wait(blockedBy, null, blockedBy === 'nobody_left' ? idlePollMs : heldPollMs)
    },

    /** Ends the runner's operation. Safe to retry: ending twice changes nothing. */
    async endRunner(input: RunnerInput): Promise<void> {
      const campaign = await findCampaignById(db, input.campaign)
      await endOperation(
        db,
        input.operation,
        {
          state: 'done',
          result: { campaign: input.campaign, epoch: input.epoch, state: campaign?.state ?? null },
        },
        clock.now(),
      )
    },

    /**
     * Ends what is left of a campaign that is done and returns how many letters are still being sent. At zero, it ends the
     * operation of the pause or end. Safe to retry: a letter ends once.
     */
    async drainCampaign(input: DrainInput): Promise<number> {
      const left = await endRest(input.campaign)
      const inFlight = left + (await countInFlight(db, input.campaign))
      if (inFlight > 0) {
        await operationWaits(db, input.operation, 'in_flight')
        return inFlight
      }
      const campaign = await findCampaignById(db, input.campaign)
      const result = { campaign: input.campaign, state: campaign?.state ?? null, inFlight }
      await endOperation(db, input.operation, { state: 'done', result }, clock.now())
      return 0
    },

    /** Cancel in the Web UI pauses the campaign. Safe to retry: only this epoch is paused. */
    async pauseByOperator(input: RunnerInput): Promise<void> {
      const by = await byOperator(deps)
      await db.transaction().execute(async (trx) => {
        const paused = await pauseRun(trx, input.campaign, input.epoch, clock.now())
        if (paused)
          await recordAudit(trx, {
            ...by,
            ...paused,
            at: clock.now(),
            resource: input.campaign,
            action: 'campaign.moved',
            after: { state: 'paused' },
          })
      })
      await endOperation(
        db,
        input.operation,
        { state: 'cancelled', result: { campaign: input.campaign, state: 'paused' } },
        clock.now(),
      )
    },
  }

  // Spends some seconds ending the letters of a campaign that is done. Returns 1 if more may be left, otherwise 0.
  async function endRest(id: string): Promise<0 | 1> {
    const started = performance.now()
    while (performance.now() - started < endingMs) {
      const ended = await db.transaction().execute(async (trx) => {
        if ((await shareCampaign(trx, id)) !== 'done') return 0
        return endBatch(trx, id, clock.now())
      })
      if (ended === 0) return 0
    }
    return 1
  }

  // The letter that was started last, if its workflow has not ended: it waits for its account, or is parked as unconfirmed.
  async function findWaiting(touch: string, now: Date) {
    const row = await findTouch(db, touch)
    const isDue = row && row.dueAt <= now && (row.nextTryAt === null || row.nextTryAt <= now)
    return row?.state === 'queued' && isDue ? row : undefined
  }

  // Returns how many were written. A model that fails does not hold up letters that are already written.
  async function writeForReview(touches: { id: string }[]) {
    const started = performance.now()
    let written = 0
    for (const { id } of touches) {
      if (written > 0 && performance.now() - started > reviewMs) break
      try {
        await inFlightOf('review', reviewBound, () => writeLetterOf(deps, id, 'review'))
      } catch (error) {
        if (!isModelTrouble(error)) throw error
        log.warn({ touch: id, code: error.type }, 'a letter cannot be written for now')
        break
      }
      written++
    }
    return written
  }
}

/** Accounts that have due letters but no longer send for the campaign, if another account works and can take the letters over. */
function straysOf({ senders, queued }: CampaignFacts, now: Date): string[] {
  if (!senders.some(({ alive }) => alive)) return []
  return queued.flatMap(({ connection, dueAt }) =>
    connection !== null && dueAt <= now && senders.every(({ id }) => id !== connection)
      ? [connection]
      : [],
  )
}
