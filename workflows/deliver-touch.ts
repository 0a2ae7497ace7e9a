import { allHandlersFinished, condition, setHandler, workflowInfo } from '@temporalio/workflow'
import { mailTo, modelTo, rowsTo, shortenable, waitFor } from './process.ts'
import {
  changed,
  resolve,
  resolveOptions,
  retryNow,
  retryNowOptions,
  unconfirmed,
  untilParked,
} from './signals.ts'

export type TouchInput = { campaign: string; touch: string; epoch: number }

const write = modelTo('Looks whether the letter may go, and writes it')
const edit = rowsTo('Notes what an operator said')
const mail = mailTo('Claims the letter and hands it to the mail server')

/**
 * Delivers one letter of a campaign: writes it when its turn has come, claims it, hands it over. Lives from due to settled;
 * waits on `resolve` only when it cannot be known whether the letter arrived. Too short to continue as new.
 */
export async function deliverTouch(input: TouchInput): Promise<void> {
  let changes = 0
  let parked = false
  const delivery = shortenable()
  setHandler(changed, () => void changes++)
  setHandler(
    resolve,
    async (outcome) => {
      await untilParked(() => parked)
      await edit.resolveTouch({ touch: input.touch, outcome })
      changes++
    },
    resolveOptions,
  )
  setHandler(retryNow, async () => delivery.again(), retryNowOptions)

  if (!(await write.prepareTouch({ ...input, workflow: workflowInfo().workflowId }))) return
  for (;;) {
    const seen = changes
    const outcome = await delivery.run(() => mail.deliverTouch(input))
    if (outcome === 'settled') break
    parked = outcome === 'unconfirmed'
    if (parked) await waitFor(unconfirmed, null, () => changes !== seen)
    parked = false
  }
  await condition(allHandlersFinished)
}
