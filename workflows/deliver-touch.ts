import {
  allHandlersFinished,
  CancellationScope,
  condition,
  isCancellation,
  patched,
  workflowInfo,
} from '@temporalio/workflow'
import { handingOver } from './handing-over.ts'
import type { TouchInput } from './inputs.ts'
import { ended, type Outcome } from './outcome.ts'
import { mailTo, modelTo, rowsTo, waitFor } from './process.ts'
import { unconfirmed } from './signals.ts'

const write = modelTo('Looks whether the letter may go, and writes it')
const look = rowsTo('Looks whether the letter is on its way')
const edit = rowsTo('Notes what an operator said')
const mail = mailTo('Claims the letter and hands it to the mail server')

/**
 * Delivers one letter of a campaign: writes it when its turn has come, claims it, hands it over. Lives from due to settled;
 * waits on `resolve` only when it cannot be known whether the letter arrived. Too short to continue as new.
 */
export async function deliverTouch(input: TouchInput): Promise<Outcome> {
  const letter = handingOver({
    resolve: (outcome, update) => edit.resolveTouch({ touch: input.touch, outcome, update }),
  })
  const findInHand = () => look.findTouchInHand({ touch: input.touch })

  const { workflowId } = workflowInfo()
  const prepared = await write.prepareTouch({ ...input, workflow: workflowId, tells: true })
  if (prepared !== true) return prepared ? prepared.outcome : ended
  let outcome: Outcome = ended
  try {
    await untilSettled()
  } catch (error) {
    if (!isCancellation(error) || !patched('cancel-in-hand')) throw error
    await CancellationScope.nonCancellable(async () => {
      // Cancel in the Web UI: one that is queued is its campaign's to take up again; one that is on its way, or may have
      // arrived, is settled first.
      if (!(await findInHand())) throw error
      await untilSettled()
      await condition(allHandlersFinished)
    })
  }
  await condition(allHandlersFinished)
  return outcome

  async function untilSettled() {
    for (;;) {
      const hasChanged = letter.listen()
      const told = await letter.attempt(() => mail.deliverTouch({ ...input, tells: true }))
      // A word alone is the answer of an activity of 0.3.0.
      const said = typeof told === 'object' ? told : { is: told, outcome: ended, searchable: false }
      outcome = said.outcome
      if (said.is === 'settled') break
      letter.parked = said.is === 'unconfirmed'
      letter.waiting.waits(letter.parked ? 'resolve' : null, null, said.searchable)
      if (letter.parked) {
        const inHand = patched('named') ? await findInHand() : null
        await waitFor(unconfirmed(input.touch, inHand), null, hasChanged)
      }
      letter.parked = false
    }
  }
}
