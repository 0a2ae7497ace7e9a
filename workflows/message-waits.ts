import { makeContinueAsNewFunc } from '@temporalio/workflow'
import { sendQueue } from './ids.ts'
import type { MessageInput } from './inputs.ts'
import type { Outcome } from './outcome.ts'

/** What a message waits for, as an operator reads it. */
export const sentences = {
  send_at: (until: string | null) => `Waits until ${until}, when the message is to be sent.`,
  turn: () => 'Waits for its turn: an earlier message of the conversation has not been sent yet.',
  next_try: (until: string | null) =>
    `The mail server deferred the message (4xx); the next attempt is at ${until}.`,
}

/** Continues a message as new beside its activity. `taskQueue` is that of the deployment. */
export const continueOnSendQueue = (input: MessageInput, taskQueue: string) =>
  makeContinueAsNewFunc<(input: MessageInput) => Promise<Outcome>>({
    taskQueue: sendQueue(taskQueue),
    memo: { taskQueue },
  })(input)
