import {
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import { rows } from './process.ts'
import { changed, resolve, retryNow } from './send-message.ts'

export type TouchInput = { campaign: string; touch: string; epoch: number }

// As for messages: an account that cannot be opened is tried on, at most a minute apart.
const mail = proxyActivities<Activities>({
  startToCloseTimeout: '15 minutes',
  heartbeatTimeout: '8 s',
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  retry: { initialInterval: '1 s', maximumInterval: '1 minute' },
})

/**
 * Delivers one letter of a campaign: writes it when its turn has come, claims it, hands it over. Lives from due to settled;
 * waits on `resolve` only when it cannot be known whether the letter arrived. Too short to continue as new.
 */
export async function deliverTouch(input: TouchInput): Promise<void> {
  let changes = 0
  let parked = false
  let delivery: CancellationScope | undefined
  setHandler(changed, () => void changes++)
  setHandler(
    resolve,
    async (outcome) => {
      await rows.resolveTouch({ touch: input.touch, outcome })
      changes++
    },
    {
      validator: (outcome) => {
        if (outcome !== 'sent' && outcome !== 'again')
          throw ApplicationFailure.nonRetryable('Say "sent" or "again".')
        if (!parked) throw ApplicationFailure.nonRetryable('There is nothing to resolve.')
      },
      description:
        'An unconfirmed letter: "sent" if it arrived, "again" to have the runner send it once more.',
    },
  )
  setHandler(retryNow, async () => delivery?.cancel(), {
    description: 'Try now instead of waiting for the next attempt.',
  })

  if (!(await rows.prepareTouch({ ...input, workflow: workflowInfo().workflowId }))) return
  while ((await attempt()) === 'unconfirmed') {
    parked = true
    const seen = changes
    setCurrentDetails(
      'It is not known whether the letter arrived. Look in the mailbox, then send the update `resolve` with "sent" or "again".',
    )
    await condition(() => changes !== seen)
  }
  await condition(allHandlersFinished)

  async function attempt() {
    for (;;) {
      delivery = new CancellationScope()
      try {
        return await delivery.run(() => mail.deliverTouch(input))
      } catch (error) {
        // retryNow cut the wait between two attempts short; a cancel of the whole workflow goes on up.
        if (!isCancellation(error) || CancellationScope.current().consideredCancelled) throw error
      } finally {
        delivery = undefined
      }
    }
  }
}
