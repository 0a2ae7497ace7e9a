import {
  ApplicationFailure,
  condition,
  defineSignal,
  defineUpdate,
  setHandler,
} from '@temporalio/workflow'
import type { WakeReason } from '../rules/wakes.ts'

// What a running workflow can be signalled. A signal only shortens a wait: the rows hold the truth.

/** The row has changed: read it again. The runners of campaigns are told why. */
export const changed = defineSignal<[reason?: WakeReason], 'changed'>('changed')
export const changedOptions = {
  description:
    'Sent by the service itself: the row has changed and is read again. Harmless at any time.',
}
/** Counts the signals: `listen` answers a function that says whether one has arrived since. `then` runs at each signal. */
export function listenForChanges(then: (reason: WakeReason | undefined) => void = () => {}) {
  let changes = 0
  const tell = () => void changes++
  setHandler(
    changed,
    (reason) => {
      tell()
      then(reason)
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

/** What became of an unconfirmed letter: `sent`, or `again` to send it once more. */
export const resolve = defineUpdate<void, ['sent' | 'again']>('resolve')
/** Do not wait for the next attempt. */
export const retryNow = defineUpdate('retryNow')
/** The same as a signal, which Temporal can send to many workflows at once. */
export const retryNowAll = defineSignal('retryNow')

export const retryNowOptions = { description: 'Try now instead of waiting for the next attempt.' }

/** The description and the guard of `resolve`. */
export const resolveOptions = {
  validator: (outcome: 'sent' | 'again') => {
    if (outcome !== 'sent' && outcome !== 'again')
      throw ApplicationFailure.nonRetryable('Say "sent" or "again".')
  },
  description: 'An unconfirmed letter: "sent" if it arrived, "again" to send it once more.',
}

const parksWithinMs = 5_000

/**
 * Only a parked letter can be resolved. Its row says that it is unconfirmed a moment before its workflow waits for
 * the decision, and somebody who reads the row may be quicker: this waits for that moment.
 */
export async function untilParked(isParked: () => boolean) {
  if (!(await condition(isParked, parksWithinMs, { summary: 'Waits until the letter is parked.' })))
    throw ApplicationFailure.nonRetryable('There is nothing to resolve.')
}

/**
 * The account of a letter. A Message-ID begins with the id of the message, touch or invitation, so an operator needs
 * nothing else to find the letter.
 */
export type InHand = { connection: string | null }

/** What an operator reads while a letter is unconfirmed. */
export const unconfirmed = (id: string, letter?: InHand | null) => {
  const account = letter?.connection ? `, of the account \`${letter.connection}\`,` : ''
  return (
    `It is not known whether the letter whose Message-ID begins with \`${id}\`${account} arrived. Look in the mailbox, then ` +
    'send the update `resolve` with the input `"sent"` or `"again"`.'
  )
}
