import {
  ApplicationFailure,
  condition,
  defineSignal,
  defineUpdate,
  setHandler,
} from '@temporalio/workflow'

// What can be said to a running workflow. A signal only shortens a wait: the rows are the truth.

/** The row has changed: look again. */
export const changed = defineSignal('changed')
export const changedOptions = {
  description:
    'Said by the service itself: the row has changed, look at it again. Harmless at any time.',
}
/** Counts what was said: `listen` answers whether anything was since it was called. `then` is done at each signal. */
export function listenForChanges(then = () => {}) {
  let changes = 0
  const tell = () => void changes++
  setHandler(
    changed,
    () => {
      tell()
      then()
    },
    changedOptions,
  )
  return {
    tell,
    listen() {
      const seen = changes
      return () => changes !== seen
    },
  }
}

/** What became of a letter nobody has confirmed: `sent`, or `again` to send it once more. */
export const resolve = defineUpdate<void, ['sent' | 'again']>('resolve')
/** Do not wait for the next attempt. */
export const retryNow = defineUpdate('retryNow')
/** The same as a signal, which Temporal carries to many at once. */
export const retryNowAll = defineSignal('retryNow')

export const retryNowOptions = { description: 'Try now instead of waiting for the next attempt.' }

/** How `resolve` is described and guarded. */
export const resolveOptions = {
  validator: (outcome: 'sent' | 'again') => {
    if (outcome !== 'sent' && outcome !== 'again')
      throw ApplicationFailure.nonRetryable('Say "sent" or "again".')
  },
  description: 'An unconfirmed letter: "sent" if it arrived, "again" to send it once more.',
}

const parksWithinMs = 5_000

/**
 * Only what is parked can be resolved. Its row says that it is unconfirmed a moment before its workflow waits for an answer,
 * and whoever reads the row may be quicker: that moment is waited for.
 */
export async function untilParked(isParked: () => boolean) {
  if (!(await condition(isParked, parksWithinMs, { summary: 'Waits for the outcome.' })))
    throw ApplicationFailure.nonRetryable('There is nothing to resolve.')
}

/** The account of a letter. A Message-ID begins with our own id of what it is of, which is all an operator needs to see of it. */
export type InHand = { connection: string | null }

/** What an operator reads while a letter is unconfirmed. */
export const unconfirmed = (id: string, letter?: InHand | null) => {
  const account = letter?.connection ? `, of the account \`${letter.connection}\`,` : ''
  return (
    `It is not known whether the letter whose Message-ID begins with \`${id}\`${account} arrived. Look in the mailbox, then ` +
    'send the update `resolve` with the input `"sent"` or `"again"`.'
  )
}
