import {
  allHandlersFinished,
  CancellationScope,
  condition,
  isCancellation,
  patched,
  workflowInfo,
} from '@temporalio/workflow'
import type { MessageStep } from '../activities/conversations/message-steps.ts'
import { handingOver } from './handing-over.ts'
import type { MessageInput } from './inputs.ts'
import { continueOnSendQueue, sentences } from './message-waits.ts'
import { ended, notOurs, type Outcome, type Told } from './outcome.ts'
import { mailTo, owns, rowsTo, waitFor } from './process.ts'
import { unconfirmed } from './signals.ts'

const look = rowsTo('Decides what is next for the message')
const edit = rowsTo('Records the decision of an operator')
const mail = mailTo('Claims the message and hands it to the mail server')

/**
 * Sends one message as the releases up to 0.3.0 began it: claiming, looking and delivering are an activity each. Goes
 * on like this until the message is sent, or until the workflow continues as new, in the way of this release.
 */
export async function sendBySteps(input: MessageInput): Promise<Outcome> {
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
      else await letter.attempt((asked) => mail.deliverMessage({ ...input, ...asked }))
      if (workflowInfo().continueAsNewSuggested) {
        await condition(allHandlersFinished)
        await continueOnSendQueue(input, workflowInfo().taskQueue)
      }
    }
  }
}
