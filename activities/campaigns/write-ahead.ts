import {
  type CampaignFacts,
  findCampaignFacts,
  findRun,
  type Run,
} from '../../db/campaigns/facts.ts'
import { countWritten, listUnwritten } from '../../db/campaigns/unwritten.ts'
import { limitsOf, mayWrite } from '../../rules/budgets.ts'
import { paceOf } from '../../rules/pace.ts'
import type { RunnerInput } from '../../workflows/inputs.ts'
import type { Deps } from '../deps.ts'
import { isModelTrouble } from '../ports/model/model.ts'
import { roomForReview } from './due.ts'
import { writeForReview, writeLetterOf } from './write-letter.ts'

// A model takes seconds for a letter, and may be slow or down. So letters are written ahead, beside those that are being sent,
// and only written ones are sent. The embedded rules write each letter when it is sent.

const hourMs = 60 * 60_000
// The runner hears of letters that are written this often.
const writingMs = 10_000
const batch = 25

/** How many letters the accounts may send within an hour. */
const mostIn = (senders: CampaignFacts['senders']) =>
  senders.filter(mayWrite).reduce((sum, sender) => {
    const left = limitsOf(sender).day - sender.usedDay
    const byGap = sender.gapSeconds > 0 ? Math.ceil(3600 / sender.gapSeconds) : left
    return sum + Math.max(0, Math.min(left, byGap))
  }, 0)

/** How many letters are to be written by a model now, so that those that are due within the hour can go; 0 without a model. */
export async function countToWrite(
  { db, model }: Pick<Deps, 'db' | 'model'>,
  run: Run,
  { senders, agreed }: CampaignFacts,
  now: Date,
): Promise<number> {
  if (!model) return 0
  const due = { campaign: run.id, agreed, before: new Date(now.getTime() + hourMs) }
  const { written, unwritten } = await countWritten(db, due, batch)
  return Math.max(0, Math.min(unwritten, mostIn(senders) - written))
}

export const writeAheadActivities = (deps: Deps) => ({
  /**
   * Writes letters for review, and with a model the letters that are due within the hour; answers how many. Safe to retry: a
   * letter is written once.
   * @throws the model's trouble.
   */
  async writeAhead({ campaign, epoch }: RunnerInput): Promise<number> {
    const { db, clock } = deps
    const run = await findRun(db, campaign)
    if (run?.state !== 'running' || run.runEpoch !== epoch) return 0
    const now = clock.now()
    const facts = await findCampaignFacts(db, run, now)
    const began = performance.now()
    const room = roomForReview(paceOf(facts, now), facts)
    let written = room > 0 ? await writeForReview(deps, run, now, room) : 0
    const most = await countToWrite(deps, run, facts, now)
    if (most <= 0) return written
    const due = { campaign, agreed: run.agreed, before: new Date(now.getTime() + hourMs) }
    for (const { id } of await listUnwritten(db, due, Math.min(most, batch))) {
      if (written > 0 && performance.now() - began > writingMs) break
      try {
        await writeLetterOf(deps, id)
      } catch (error) {
        // Those that are written can go at once; the next call says what the model cannot get past.
        if (written > 0 && isModelTrouble(error)) break
        throw error
      }
      written++
    }
    return written
  },
})
