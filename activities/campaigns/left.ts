import type { CampaignFacts } from '../../db/campaigns/facts.ts'
import { touchKind } from '../../db/campaigns/touch-life.ts'
import { findTouch } from '../../db/campaigns/touches.ts'
import type { Db } from '../../db/database.ts'
import { listClaimed } from '../../db/outgoing/letters-in-hand.ts'
import type { Pace } from '../../rules/pace.ts'
import type { RunnerInput } from '../../workflows/inputs.ts'
import { tellOutcome } from '../common/outcomes.ts'
import type { Deps } from '../deps.ts'
import { reconcile } from '../outgoing/settle.ts'
import { findUnderway } from '../outgoing/underway.ts'
import { accountPollMs, type Wait, waitsFor } from './due.ts'
import { type Counts, count } from './send-letter.ts'

// Letters that others have claimed or started: an earlier attempt of the runner, an earlier runner, or the workflow that an
// older release started for each letter.

/** A letter that is being sent, by whatever attempt. */
export type InHand = { id: string; connection: string | null; isOwn: boolean }

/**
 * Settles the letters that a runner has claimed whose attempt is gone, and answers those that are still being sent. `isOwn`: by
 * this run.
 * @throws trouble if an attempt that seemed to be gone is at work.
 */
export async function settleLeft(
  deps: Deps,
  { campaign, epoch }: RunnerInput,
  counts: Counts,
): Promise<InHand[]> {
  const { db } = deps
  const inHand: InHand[] = []
  for (const claimed of await listClaimed(db, campaign)) {
    const { id, connection, workflow, leased } = claimed
    if (workflow !== null || leased || findUnderway(id)) {
      inHand.push({ id, connection, isOwn: workflow === null && claimed.epoch === epoch })
      continue
    }
    const touch = await findTouch(db, id)
    if (touch?.state !== 'sending') continue
    await reconcile(deps, touchKind, touch)
    const after = await findTouch(db, id)
    tellOutcome(deps, 'letter', touch, after)
    count(counts, after?.state === 'sent' ? 'sent' : 'unconfirmed')
  }
  return inHand
}

/**
 * What the runner waits for while the workflow of a letter has not ended that an older release started. Letters go to one person
 * at a time, but an account that cannot be opened holds up only its own letters.
 */
export async function findWaiting(
  db: Db,
  { current }: { current?: string | null },
  { senders }: CampaignFacts,
  pace: Pace,
  now: Date,
): Promise<Wait | undefined> {
  const touch = current ? await findTouch(db, current) : undefined
  const isDue = touch && touch.dueAt <= now && (touch.nextTryAt === null || touch.nextTryAt <= now)
  if (touch?.state !== 'queued' || !isDue) return undefined
  const account = senders.find(({ id }) => id === touch.connection)
  if (!account?.problem) return waitsFor('in_flight', null, accountPollMs)
  if (pace.now) return undefined
  return waitsFor(pace.blockedBy === 'provider' ? 'provider' : 'in_flight', null, accountPollMs)
}
