import type { CampaignFacts, Run } from '../../db/campaigns/facts.ts'
import { releaseFirstLetters } from '../../db/campaigns/signers.ts'
import { releaseTouches } from '../../db/campaigns/touches.ts'
import type { Db } from '../../db/database.ts'
import { limitsOf, mayWrite } from '../../rules/budgets.ts'
import type { WaitsFor } from '../../rules/campaign.ts'
import type { Pace } from '../../rules/pace.ts'
import { spreadMs } from '../../rules/spread.ts'

// What follows from the facts of a campaign for its runner: letters that need another account, letters to be written, and how
// long to wait.

/** Delays are milliseconds from the moment of the answer. */
export type Wait = {
  do: 'wait'
  blockedBy: WaitsFor
  until: string | null
  delayMs: number
  /** How many letters did not arrive, if nobody is left to write to. */
  returned?: number
}

export const waitsFor = (blockedBy: WaitsFor, until: Date | null, delayMs: number): Wait => ({
  do: 'wait',
  blockedBy,
  until: until?.toISOString() ?? null,
  delayMs,
})

// How often a letter that could not be written is tried again; others are sent meanwhile.
export const modelPollMs = 60_000
// How often a letter of an earlier runner is checked again; it is settled within seconds.
export const inFlightPollMs = 2_000
// How often others are looked at while a letter is being sent, of which the end is noticed at once.
export const besidePollMs = 10_000
// A signal says when a person has changed something. In case the signal is lost, the rows are read this often.
const heldPollMs = 10 * 60_000
// New people and agreements are signalled too.
const idlePollMs = 60 * 60_000

/** Whether no letter can go until people join or somebody agrees. */
export const hasNothing = (blockedBy: WaitsFor): boolean =>
  blockedBy === 'nobody_left' || blockedBy === 'letter_not_agreed'

// Hours begin, and days end, for many campaigns at one moment.
const togetherFor = new Set<WaitsFor>(['hours', 'weekend', 'day_limit', 'week_limit'])
const spreadOverMs = 45_000

/** How long the runner of a campaign waits when no letter may go. */
export function holdingOf(campaign: string, pace: Pace, facts: CampaignFacts, now: Date): Wait {
  const blockedBy = pace.blockedBy ?? 'nobody_left'
  if (blockedBy === 'review' && facts.dueUnagreed && facts.review === 0)
    return waitsFor(blockedBy, pace.nextAt, modelPollMs)
  // The accounts that are free may not send what is due, so the runner waits for another.
  const soonest = pace.now ? inFlightPollMs : 0
  if (pace.nextAt) {
    const later = togetherFor.has(blockedBy) ? spreadMs(campaign, spreadOverMs) : 0
    const delayMs = Math.max(soonest, pace.nextAt.getTime() - now.getTime()) + later
    return waitsFor(blockedBy, pace.nextAt, delayMs)
  }
  return waitsFor(blockedBy, null, hasNothing(blockedBy) ? idlePollMs : heldPollMs)
}

/** Frees due letters from accounts that may not send them, if others may; false if there are none. */
export async function releaseStranded(
  db: Db,
  run: Run,
  facts: CampaignFacts,
  now: Date,
): Promise<boolean> {
  const strays = straysOf(facts, now)
  if (strays.length > 0) {
    await releaseTouches(db, run.id, strays, now)
    return true
  }
  const unfit = facts.senders.flatMap((sender) => (mayWrite(sender) ? [] : [sender.id]))
  if (unfit.length === 0 || unfit.length === facts.senders.length) return false
  return (await releaseFirstLetters(db, run.id, unfit, now)) > 0
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

/**
 * How many letters may be written for review: letters that are due within open hours but not agreed are written up to one
 * day's limit.
 */
export function roomForReview(pace: Pace, { senders, review, dueUnagreed }: CampaignFacts): number {
  const isOpen =
    pace.now ||
    pace.blockedBy === 'review' ||
    pace.blockedBy === 'gap' ||
    pace.blockedBy === 'in_flight' ||
    pace.blockedBy === 'day_limit'
  if (!isOpen || !dueUnagreed) return 0
  return Math.max(0, senders.reduce((sum, sender) => sum + limitsOf(sender).day, 0) - review)
}
