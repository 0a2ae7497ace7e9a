import {
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  defineSignal,
  defineUpdate,
  isCancellation,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import { owns, rows, waitFor } from './process.ts'

/** The row has changed: look again. */
export const changed = defineSignal('changed')
/** What became of a message nobody has confirmed: `sent`, or `again` to send it once more. */
export const resolve = defineUpdate<void, ['sent' | 'again']>('resolve')
/** Do not wait for the next try. */
export const retryNow = defineUpdate('retryNow')

// An account that cannot be opened is tried on, at most a minute apart: the message must go once it is back, and an operator
// sees the pending attempt with its cause. A worker that died is noticed by its missing heartbeat.
const mail = proxyActivities<Activities>({
  startToCloseTimeout: '15 minutes',
  heartbeatTimeout: '8 s',
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  retry: { initialInterval: '1 s', maximumInterval: '1 minute' },
})

/**
 * Sends one message: waits for its time, then for its turn in its conversation, then delivers it. Waits on `resolve` when
 * it cannot be known whether it arrived. Short enough never to continue as new: each wait is at most a day long.
 */
export async function sendMessage(input: { operation: string; message: string }): Promise<void> {
  let changes = 0
  let parked = false
  let delivery: CancellationScope | undefined
  setHandler(changed, () => void changes++)
  setHandler(
    resolve,
    async (outcome) => {
      await rows.resolveMessage({ message: input.message, outcome })
      changes++
    },
    {
      validator: (outcome) => {
        if (outcome !== 'sent' && outcome !== 'again')
          throw ApplicationFailure.nonRetryable('Say "sent" or "again".')
        if (!parked) throw ApplicationFailure.nonRetryable('There is nothing to resolve.')
      },
      description: 'An unconfirmed message: "sent" if it arrived, "again" to send it once more.',
    },
  )
  setHandler(
    retryNow,
    async () => {
      await rows.retryMessageNow({ message: input.message })
      changes++
      delivery?.cancel()
    },
    { description: 'Try now instead of waiting for the next attempt.' },
  )
  if (!(await owns(input.operation))) return

  try {
    for (;;) {
      const seen = changes
      const hasChanged = () => changes !== seen
      const step = await rows.messageStep(input)
      parked = step.do === 'park'
      if (step.do === 'end') break
      if (step.do === 'wait')
        await waitFor(sentences[step.for](step.until), step.delayMs, hasChanged)
      else if (step.do === 'park') await waitFor(sentences.resolve, null, hasChanged)
      else await deliver()
    }
  } catch (error) {
    if (!isCancellation(error)) throw error
    // Cancel in the Web UI: a message that is still queued is cancelled; one that is on its way is settled by its attempt.
    await CancellationScope.nonCancellable(async () => {
      await rows.cancelMessage({ message: input.message })
      await rows.messageStep(input)
    })
  }
  await condition(allHandlersFinished)

  async function deliver() {
    delivery = new CancellationScope()
    try {
      await delivery.run(() => mail.deliverMessage(input))
    } catch (error) {
      // retryNow cut the wait between two attempts short; a cancel of the whole workflow goes on up.
      if (!isCancellation(error) || CancellationScope.current().consideredCancelled) throw error
    } finally {
      delivery = undefined
    }
  }
}

const sentences = {
  send_at: (until: string | null) => `Waits until ${until}, when it is to be sent.`,
  turn: () => 'Waits for its turn: an earlier message of the conversation has not gone yet.',
  next_try: (until: string | null) => `The mail server put it off; the next try is at ${until}.`,
  resolve:
    'It is not known whether the message arrived. Look in the mailbox, then send the update `resolve` with "sent" or "again".',
}
