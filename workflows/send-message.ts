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

const look = rowsTo('Looks what is next for the message')
const edit = rowsTo('Notes what an operator said')
const mail = mailTo('Claims the message and hands it to the mail server')

/**
 * Sends one message: waits for its time, then for its turn behind what was to go earlier, then delivers it. Waits on
 * `resolve` when it cannot be known whether it arrived. Looks at the row once a week at least; a wait of many years continues
 * as new.
 */
export async function sendMessage(input: MessageInput): Promise<Outcome> {
  // Whose turn it was when a wait for it ran out, and how long such waits took: what is stuck holds up no other.
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
    // Cancel in the Web UI: a message that is still queued is cancelled; one that is on its way, or may have arrived, is settled
    // first.
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
  send_at: (until: string | null) => `Waits until ${until}, when it is to be sent.`,
  turn: () => 'Waits for its turn: a message that was to go earlier has not gone yet.',
  next_try: (until: string | null) =>
    `The mail server has put the message off (4xx); it is tried again at ${until}.`,
}
