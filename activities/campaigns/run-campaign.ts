import { findCampaignById, pauseRun } from '../../db/campaigns/campaigns.ts'
import { goOnLeaving } from '../../db/campaigns/leaving.ts'
import { lockForPlanning, planFirstLetters } from '../../db/campaigns/planning.ts'
import { shareCampaign } from '../../db/campaigns/touch-sending.ts'
import { countInFlight, endBatch, planBatch } from '../../db/campaigns/touches.ts'
import { recordAudit } from '../../db/events/audit.ts'
import { endOperation, operationWaits } from '../../db/operations/operations.ts'
import { workspaceOf } from '../../db/operations/outbox.ts'
import type { DrainInput, RunnerInput } from '../../workflows/inputs.ts'
import { bounded } from '../common/bounded.ts'
import { byOperator } from '../common/find-operator.ts'
import type { Deps } from '../deps.ts'

// How long one activity ends what is left of a campaign that is done. The activity has ten seconds.
const endingMs = 3_000
// How long one activity plans letters, in transactions that each end before others notice.
const planningMs = 2_000
// Campaigns of a segment wait for each other's transactions: a workspace with many of them would hold every connection by that.
const plannings = bounded({ name: 'plannings', ofKey: 2 })

export const runCampaignActivities = (deps: Deps) => {
  const { db, clock } = deps
  // One batch of each; answers `planBatch` if more are left.
  const planNext = ({ campaign: id, epoch }: RunnerInput): Promise<number> =>
    db.transaction().execute(async (trx) => {
      const campaign = await lockForPlanning(trx, id, epoch)
      if (!campaign) return 0
      const now = clock.now()
      const isLeft = await goOnLeaving(trx, campaign, now)
      const planned = await planFirstLetters(trx, campaign, now, planBatch)
      return isLeft ? planBatch : planned
    })

  async function planSome(input: RunnerInput): Promise<number> {
    const started = performance.now()
    for (;;) {
      const seen = await planNext(input)
      if (seen < planBatch) return 0
      if (performance.now() - started > planningMs) return seen
    }
  }

  return {
    /**
     * Plans first letters for people who have joined the segment and ends the letters of people who have left it, for some
     * seconds. Returns how many people the last batch had, and 0 when nobody is left. Safe to retry: the place is kept with
     * the letters, and a person has one touch for each place.
     */
    planLetters: (input: RunnerInput): Promise<number> =>
      plannings(workspaceOf(input.operation), () => planSome(input)),

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
}
