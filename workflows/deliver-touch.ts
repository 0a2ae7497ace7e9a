import { allHandlersFinished, CancellationScope, condition } from '@temporalio/workflow'
import { handingOver } from './handing-over.ts'
import type { TouchInput } from './inputs.ts'
import { ended, type Outcome } from './outcome.ts'
import { isCancel, mailTo, rowsTo, waitFor } from './process.ts'
import { unconfirmed } from './signals.ts'

const edit = rowsTo('Records the decision of an operator')
const mail = mailTo('Looks whether it is known by now that the letter has arrived')

/**
 * Waits for `resolve` while nobody can know whether a letter of a campaign has arrived. It is the campaign's runner that sends
 * letters, and sends this one again where a person has decided so. It is too short to continue as new.
 */
export async function deliverTouch(input: TouchInput): Promise<Outcome> {
  const letter = handingOver({
    resolve: (outcome, update) => edit.resolveTouch({ touch: input.touch, outcome, update }),
  })
  let outcome: Outcome = ended
  try {
    await untilSettled()
  } catch (error) {
    if (!isCancel(error)) throw error
    // Cancel in the Web UI: whether a letter has arrived does not depend on that.
    await CancellationScope.nonCancellable(async () => {
      await untilSettled()
      await condition(allHandlersFinished)
    })
  }
  await condition(allHandlersFinished)
  return outcome

  async function untilSettled() {
    for (;;) {
      const hasChanged = letter.listen()
      const found = await letter.attempt(() => mail.settleTouch(input))
      // An operator has cut the wait for the next attempt short.
      if (!found) continue
      outcome = found.outcome
      letter.parked = found.inHand !== null
      letter.waiting.waits(letter.parked ? 'resolve' : null, null, found.searchable)
      if (!found.inHand) break
      await waitFor(unconfirmed(input.touch, found.inHand), null, hasChanged)
      letter.parked = false
    }
  }
}
