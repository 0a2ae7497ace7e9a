import { touchKind } from '../../db/campaigns/touch-life.ts'
import { findTouch } from '../../db/campaigns/touches.ts'
import type { TouchInput } from '../../workflows/inputs.ts'
import type { Outcome } from '../../workflows/outcome.ts'
import type { InHand } from '../../workflows/signals.ts'
import { outcomeOf, tellOutcome } from '../common/outcomes.ts'
import type { Deps } from '../deps.ts'
import { type Resolution, reconcile, resolve } from '../outgoing/settle.ts'

/** `inHand`: the account of a letter of which it is not known whether it has arrived; null once it is settled. */
type Found = { inHand: InHand | null; outcome: Outcome; searchable: boolean }

export const deliverTouchActivities = (deps: Deps) => {
  const { db } = deps
  return {
    /**
     * Looks whether it is known by now what has become of a letter: mail that has come in since may prove that it arrived. Safe
     * to retry: it sends nothing.
     */
    async settleTouch(input: TouchInput): Promise<Found> {
      const touch = await findTouch(db, input.touch)
      if (touch?.state === 'sending') await reconcile(deps, touchKind, touch)
      const after = await findTouch(db, input.touch)
      tellOutcome(deps, 'letter', touch, after)
      const inHand = after?.state === 'sending' ? { connection: after.connection } : null
      return { inHand, outcome: outcomeOf(after), searchable: deps.searchable?.() === true }
    },

    /** Writes down what a person found out about an unconfirmed letter. Safe to retry: only an unconfirmed one is changed. */
    resolveTouch({ touch, ...found }: { touch: string } & Resolution): Promise<void> {
      return resolve(deps, touchKind, touch, found)
    },
  }
}
