import {
  allHandlersFinished,
  CancellationScope,
  condition,
  isCancellation,
  setHandler,
} from '@temporalio/workflow'
import { mailTo, rowsTo, shortenable, waitFor } from './process.ts'
import {
  changed,
  resolve,
  resolveOptions,
  retryNow,
  retryNowOptions,
  unconfirmed,
  untilParked,
} from './signals.ts'

const look = rowsTo('Looks what is next for the invitation')
const edit = rowsTo('Notes what an operator said')
const mail = mailTo('Claims the invitation and hands it to the mail server')

/**
 * Delivers one mail about a meeting to one guest: the invitation, or its cancellation. Waits for the next try where the mail
 * server puts it off, and on `resolve` when it cannot be known whether it arrived. Ends with the meeting at the latest, so it
 * never continues as new.
 */
export async function deliverInvitation(input: { invitation: string }): Promise<void> {
  let changes = 0
  let parked = false
  const delivery = shortenable()
  setHandler(changed, () => {
    changes++
    delivery.again()
  })
  setHandler(
    resolve,
    async (outcome) => {
      await untilParked(() => parked)
      await edit.resolveInvitation({ ...input, outcome })
      changes++
    },
    resolveOptions,
  )
  setHandler(
    retryNow,
    async () => {
      await edit.retryInvitationNow(input)
      changes++
      delivery.again()
    },
    retryNowOptions,
  )

  try {
    for (;;) {
      const seen = changes
      const hasChanged = () => changes !== seen
      const step = await look.invitationStep(input)
      parked = step.do === 'park'
      if (step.do === 'end') break
      if (step.do === 'wait')
        await waitFor(sentences[step.for](step.until), step.delayMs, hasChanged)
      else if (step.do === 'park') await waitFor(unconfirmed, null, hasChanged)
      else await delivery.run(() => mail.deliverInvitation(input))
    }
  } catch (error) {
    if (!isCancellation(error)) throw error
    // Cancel in the Web UI: what is still queued does not go; what is on its way is settled by its attempt.
    await CancellationScope.nonCancellable(() => edit.cancelInvitation(input))
  }
  await condition(allHandlersFinished)
}

const sentences = {
  next_try: (until: string | null) => `The mail server put it off; the next try is at ${until}.`,
  request: () => 'Waits for the invitation that it takes back, which is being handed over.',
}
