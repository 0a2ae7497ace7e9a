import {
  allHandlersFinished,
  CancellationScope,
  condition,
  patched,
  workflowInfo,
} from '@temporalio/workflow'
import { handingOver } from './handing-over.ts'
import type { TouchInput } from './inputs.ts'
import { ended, type Outcome } from './outcome.ts'
import { isCancel, mailTo, modelTo, rowsTo, waitFor } from './process.ts'
import { unconfirmed } from './signals.ts'

const write = modelTo('Checks whether the letter may go, and writes it')
const look = rowsTo('Checks whether the letter is being sent')
const edit = rowsTo('Records the decision of an operator')
const mail = mailTo('Claims the letter and hands it to the mail server')

/**
 * Delivers one letter of a campaign: writes it when it is due, claims it and hands it to the mail server. It runs
 * from the due time until the letter is settled, and waits for `resolve` only when nobody can know whether the letter
 * arrived. It is too short to continue as new.
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
    if (!isCancel(error) || !patched('cancel-in-hand')) throw error
    await CancellationScope.nonCancellable(async () => {
      // Cancel in the Web UI: a letter that is queued stays with its campaign, which picks it again; one that is
      // being sent, or may have arrived, is settled first.
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
      const told = await letter.attempt((asked) =>
        mail.deliverTouch({ ...input, ...asked, tells: true }),
      )
      // Activities of 0.3.0 answer with the bare word.
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
