import {
  allHandlersFinished,
  CancellationScope,
  condition,
  makeContinueAsNewFunc,
  workflowInfo,
} from '@temporalio/workflow'
import { handingOver } from './handing-over.ts'
import { sendQueue } from './ids.ts'
import type { MessageInput } from './inputs.ts'
import { ended, notOurs, type Outcome } from './outcome.ts'
import {
  deploymentQueue,
  isCancel,
  longestWaitMs,
  mailAtOnce,
  mailTo,
  rowsTo,
  waitFor,
} from './process.ts'
import { unconfirmed } from './signals.ts'

const mail = mailTo('Hands the message to the mail server if it may go now')
const mailNow = mailAtOnce('Hands the message to its mail server, which answers quickly')
const edit = rowsTo('Records the decision of an operator')

/** What a message waits for, as an operator reads it. */
const sentences = {
  send_at: (until: string | null) => `Waits until ${until}, when the message is to be sent.`,
  held: () => 'Is held: an operator or the administration says when it goes on.',
  turn: () => 'Waits for its turn: an earlier message of the conversation has not been sent yet.',
  next_try: (until: string | null) =>
    `The mail server deferred the message (4xx); the next attempt is at ${until}.`,
}

/**
 * Sends one message. One activity claims the operation, and then either sends the message or answers what it waits for:
 * its time, the messages before it in the conversation, or `resolve` when nobody can know whether it arrived. After a
 * wait the activity is called again. It reads the row at least once a week; a wait of many years continues as new.
 *
 * With `atOnce`, the mail server of the message has just been quick. If the worker that has started the workflow gets its first
 * task, it hands the message over within that, which spares Temporal half of its work; and so does whoever gets the task that
 * follows the message's `sendAt`, where the server is quick then.
 */
export async function sendMessage({ atOnce, ...input }: MessageInput): Promise<Outcome> {
  // The message whose turn it was when a wait for it ran out, and how long such waits took: a message that is stuck
  // holds up no other.
  let passed: string | null = null
  let waitedMs = 0
  const letter = handingOver({
    resolve: (outcome, update) => edit.resolveMessage({ message: input.message, outcome, update }),
    retryNow: (update) => edit.retryMessageNow({ message: input.message, update }),
  })
  const { firstExecutionRunId } = workflowInfo()
  let mayGoAtOnce = atOnce === true
  let mayGoWhenDue = false
  let outcome: Outcome
  try {
    outcome = await untilEnd()
  } catch (error) {
    if (!isCancel(error)) throw error
    // Cancel in the Web UI: a message that is still queued is cancelled; one that is being sent, or may have arrived,
    // is settled first.
    outcome = await CancellationScope.nonCancellable(async () => {
      await edit.cancelMessage({ message: input.message, firstExecutionRunId })
      const outcome = await untilEnd()
      await condition(allHandlersFinished)
      return outcome
    })
  }
  await condition(allHandlersFinished)
  return outcome

  async function untilEnd(): Promise<Outcome> {
    for (;;) {
      const hasChanged = letter.listen()
      const sent = mayGoAtOnce ? await goAtOnce() : null
      if (sent) return sent
      const waited = { passed, waitedMs }
      const step =
        (mayGoWhenDue ? await goWhenDue(waited) : null) ??
        (await letter.attempt((asked) =>
          mail.sendDueMessage({ ...input, ...asked, firstExecutionRunId, ...waited }),
        ))
      // An operator has cut the wait for the next attempt short.
      if (!step) continue
      letter.parked = step.do === 'park'
      if (step.do === 'wait') letter.waiting.waits(step.for, step.delayMs, step.searchable)
      else letter.waiting.waits(step.do === 'park' ? 'resolve' : null, null, step.searchable)
      if (step.do === 'end') return step.isOthers ? notOurs : (step.outcome ?? ended)
      if (step.do === 'wait') {
        const told = await waitFor(sentences[step.for](step.until), step.delayMs, hasChanged)
        const isTime = step.for === 'send_at' && step.delayMs <= longestWaitMs
        mayGoWhenDue = atOnce === 'due' && (told || isTime)
        if (!told && step.behind) {
          passed = step.behind
          waitedMs += step.delayMs
        }
      } else await waitFor(unconfirmed(input.message, step.letter), null, hasChanged)
      if (workflowInfo().continueAsNewSuggested) {
        await condition(allHandlersFinished)
        await continueBesideActivity({ ...input, ...(atOnce === 'due' && { atOnce }) })
      }
    }
  }

  /** Null if it has not gone, for whatever reason: the attempts that follow find out more. */
  async function goAtOnce(): Promise<Outcome | null> {
    mayGoAtOnce = false
    try {
      return await mailNow.sendMessageAtOnce({ ...input, firstExecutionRunId })
    } catch (error) {
      if (isCancel(error)) throw error
      return null
    }
  }

  /** The same for a message whose moment, or turn, has come; says what is next if it waits. */
  async function goWhenDue(waited: { passed: string | null; waitedMs: number }) {
    mayGoWhenDue = false
    try {
      return await mailNow.sendMessageWhenDue({ ...input, firstExecutionRunId, ...waited })
    } catch (error) {
      if (isCancel(error)) throw error
      return null
    }
  }
}

/** A message runs on the queue of its activity, so that one worker can do both; the memo keeps the queue of the deployment. */
function continueBesideActivity(input: MessageInput) {
  const taskQueue = deploymentQueue()
  const next = { taskQueue: sendQueue(taskQueue), memo: { taskQueue } }
  return makeContinueAsNewFunc<typeof sendMessage>(next)(input)
}
