import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  patched,
  workflowInfo,
} from '@temporalio/workflow'
import type { MessageStep } from '../activities/conversations/send-message.ts'
import { handingOver } from './handing-over.ts'
import type { MessageInput } from './inputs.ts'
import { ended, notOurs, type Outcome, type Told } from './outcome.ts'
import { mailTo, owns, rowsTo, waitFor } from './process.ts'
import { unconfirmed } from './signals.ts'

const look = rowsTo('Decides what is next for the message')
const edit = rowsTo('Records the decision of an operator')
const mail = mailTo('Claims the message and hands it to the mail server')

/**
 * Sends one message: waits for its time, then for the messages before it in the conversation, then delivers it. Waits
 * for `resolve` when nobody can know whether it arrived. It reads the row at least once a week; a wait of many years
 * continues as new.
 */
export async function sendMessage(input: MessageInput): Promise<Outcome> {
  // The message whose turn it was when a wait for it ran out, and how long such waits took: a message that is stuck
  // holds up no other.
  let passed: string | null = null
  let waitedMs = 0
  let outcome: Outcome | undefined
  const letter = handingOver({
    resolve: (outcome, update) => edit.resolveMessage({ message: input.message, outcome, update }),
    retryNow: (update) => edit.retryMessageNow({ message: input.message, update }),
  })
  if (!(await owns(input.operation))) return notOurs

  try {
    await untilEnd()
  } catch (error) {
    if (!isCancellation(error)) throw error
    // Cancel in the Web UI: a message that is still queued is cancelled; one that is being sent, or may have arrived,
    // is settled first.
    await CancellationScope.nonCancellable(async () => {
      await edit.cancelMessage({ message: input.message })
      const next: MessageStep & { outcome?: Outcome } = await look.messageStep(input)
      outcome = next.outcome
      if (next.do === 'end' || !patched('cancel-in-hand')) return
      await untilEnd()
      await condition(allHandlersFinished)
    })
  }
  await condition(allHandlersFinished)
  return outcome ?? ended

  async function untilEnd() {
    for (;;) {
      const hasChanged = letter.listen()
      const step: MessageStep & Told = await look.messageStep({
        ...input,
        passed,
        waitedMs,
      })
      letter.parked = step.do === 'park'
      if (step.do === 'wait') letter.waiting.waits(step.for, step.delayMs, step.searchable)
      else letter.waiting.waits(step.do === 'park' ? 'resolve' : null, null, step.searchable)
      if (step.do === 'end') {
        outcome = step.outcome
        break
      }
      if (step.do === 'wait') {
        const told = await waitFor(sentences[step.for](step.until), step.delayMs, hasChanged)
        if (!told && step.behind) {
          passed = step.behind
          waitedMs += step.delayMs
        }
      } else if (step.do === 'park')
        await waitFor(unconfirmed(input.message, step.letter), null, hasChanged)
      else await letter.attempt(() => mail.deliverMessage(input))
      if (workflowInfo().continueAsNewSuggested) {
        await condition(allHandlersFinished)
        await continueAsNew<typeof sendMessage>(input)
      }
    }
  }
}

const sentences = {
  send_at: (until: string | null) => `Waits until ${until}, when the message is to be sent.`,
  turn: () => 'Waits for its turn: an earlier message of the conversation has not been sent yet.',
  next_try: (until: string | null) =>
    `The mail server deferred the message (4xx); the next attempt is at ${until}.`,
}
