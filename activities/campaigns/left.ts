import { touchKind } from '../../db/campaigns/touch-life.ts'
import { findTouch } from '../../db/campaigns/touches.ts'
import { listClaimed } from '../../db/outgoing/letters-in-hand.ts'
import type { RunnerInput } from '../../workflows/inputs.ts'
import { tellOutcome } from '../common/outcomes.ts'
import type { Deps } from '../deps.ts'
import { reconcile } from '../outgoing/settle.ts'
import { findUnderway } from '../outgoing/underway.ts'
import { type Counts, count } from './send-letter.ts'

// Letters that others have claimed: an earlier attempt of the runner, or an earlier runner.

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
    const { id, connection, leased } = claimed
    if (leased || findUnderway(id)) {
      inHand.push({ id, connection, isOwn: claimed.epoch === epoch })
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
