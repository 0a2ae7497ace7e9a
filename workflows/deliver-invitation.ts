import { allHandlersFinished, CancellationScope, condition } from '@temporalio/workflow'
import { handingOver } from './handing-over.ts'
import type { InvitationInput } from './inputs.ts'
import { ended, type Outcome } from './outcome.ts'
import { isCancel, mailTo, rowsTo, waitFor } from './process.ts'
import { unconfirmed } from './signals.ts'

const look = rowsTo('Decides what is next for the invitation')
const edit = rowsTo('Records the decision of an operator')
const mail = mailTo('Claims the invitation and hands it to the mail server')

/**
 * Delivers one mail about a meeting to one guest: the invitation, or its cancellation. Waits for the next attempt
 * when the mail server defers it, and for `resolve` when nobody can know whether it arrived. Ends with the meeting at
 * the latest, so it never continues as new.
 */
export async function deliverInvitation(input: InvitationInput): Promise<Outcome> {
  const letter = handingOver(
    {
      resolve: (outcome, update) => edit.resolveInvitation({ ...input, outcome, update }),
      retryNow: () => edit.retryInvitationNow(input),
    },
    // Cancelling the meeting ends the attempts.
    { changedCutsWait: true },
  )
  let outcome: Outcome = ended
  try {
    await untilEnd()
  } catch (error) {
    if (!isCancel(error)) throw error
    // Cancel in the Web UI: an invitation that is still queued is not sent; one that is being handed over, or may
    // have arrived, is settled first.
    await CancellationScope.nonCancellable(async () => {
      await edit.cancelInvitation(input)
      outcome = { state: 'cancelled', reason: 'operator' }
      await untilEnd()
      await condition(allHandlersFinished)
    })
  }
  await condition(allHandlersFinished)
  return outcome

  async function untilEnd() {
    for (;;) {
      const hasChanged = letter.listen()
      const step = await look.invitationStep(input)
      letter.parked = step.do === 'park'
      if (step.do === 'wait')
        letter.waiting.waits(step.for, step.delayMs, step.searchable, step.connection)
      else if (step.do === 'park')
        letter.waiting.waits('resolve', null, step.searchable, step.connection)
      else letter.waiting.waits(null, null, undefined)
      if (step.do === 'end') {
        outcome = step.outcome ?? ended
        break
      }
      if (step.do === 'wait')
        await waitFor(sentences[step.for](step.until), step.delayMs, hasChanged)
      else if (step.do === 'park')
        await waitFor(unconfirmed(input.invitation, step.letter), null, hasChanged)
      else await letter.attempt((asked) => mail.deliverInvitation({ ...input, ...asked }))
    }
  }
}

const sentences = {
  next_try: (until: string | null) =>
    `The mail server deferred it, or its account has reached today's limit of invitations; the next attempt is at ${until}.`,
  held: () => 'Is held: an operator or the administration says when it goes on.',
  request: () => 'Waits for the invitation that it cancels, which is being handed over.',
}
