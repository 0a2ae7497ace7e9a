import { allHandlersFinished, condition, workflowInfo } from '@temporalio/workflow'
import { handingOver } from './handing-over.ts'
import { mailTo, modelTo, rowsTo, waitFor } from './process.ts'
import { unconfirmed } from './signals.ts'

export type TouchInput = { campaign: string; touch: string; epoch: number }

const write = modelTo('Looks whether the letter may go, and writes it')
const edit = rowsTo('Notes what an operator said')
const mail = mailTo('Claims the letter and hands it to the mail server')

/**
 * Delivers one letter of a campaign: writes it when its turn has come, claims it, hands it over. Lives from due to settled;
 * waits on `resolve` only when it cannot be known whether the letter arrived. Too short to continue as new.
 */
export async function deliverTouch(input: TouchInput): Promise<void> {
  const letter = handingOver({
    resolve: (outcome) => edit.resolveTouch({ touch: input.touch, outcome }),
  })

  if (!(await write.prepareTouch({ ...input, workflow: workflowInfo().workflowId }))) return
  for (;;) {
    const hasChanged = letter.listen()
    const outcome = await letter.attempts.run(() => mail.deliverTouch(input))
    if (outcome === 'settled') break
    letter.parked = outcome === 'unconfirmed'
    if (letter.parked) await waitFor(unconfirmed, null, hasChanged)
    letter.parked = false
  }
  await condition(allHandlersFinished)
}
