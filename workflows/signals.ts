import { ApplicationFailure, defineSignal, defineUpdate } from '@temporalio/workflow'

// What can be said to a running workflow. A signal only shortens a wait: the rows are the truth.

/** The row has changed: look again. */
export const changed = defineSignal('changed')
/** What became of a letter nobody has confirmed: `sent`, or `again` to send it once more. */
export const resolve = defineUpdate<void, ['sent' | 'again']>('resolve')
/** Do not wait for the next attempt. */
export const retryNow = defineUpdate('retryNow')

export const retryNowOptions = { description: 'Try now instead of waiting for the next attempt.' }

/** How `resolve` is described and guarded: only what is parked can be resolved. */
export const resolveOptions = (isParked: () => boolean) => ({
  validator: (outcome: 'sent' | 'again') => {
    if (outcome !== 'sent' && outcome !== 'again')
      throw ApplicationFailure.nonRetryable('Say "sent" or "again".')
    if (!isParked()) throw ApplicationFailure.nonRetryable('There is nothing to resolve.')
  },
  description: 'An unconfirmed letter: "sent" if it arrived, "again" to send it once more.',
})

/** What an operator reads while a letter is unconfirmed. */
export const unconfirmed =
  'It is not known whether the letter arrived. Look in the mailbox, then send the update `resolve` with "sent" or "again".'
