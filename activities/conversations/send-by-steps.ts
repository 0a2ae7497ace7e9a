import { findDue } from '../../db/conversations/message-sending.ts'
import { operationRuns } from '../../db/operations/operations.ts'
import type { Asked, MessageInput } from '../../workflows/inputs.ts'
import { tellOutcome } from '../common/outcomes.ts'
import type { Deps } from '../deps.ts'
import { deliverMessage } from './deliver-message.ts'
import { type MessageStep, noteStep, stepOf, type Waited } from './message-steps.ts'

/** The activities of messages that a release up to 0.3.0 began to send (workflows/send-by-steps.ts). */
export const sendByStepsActivities = (deps: Deps) => {
  const { db, clock } = deps
  return {
    /** Reads the row and says what is next; ends the operation with the message. Safe to retry: it only restates the row. */
    async messageStep(input: MessageInput & Waited): Promise<MessageStep> {
      const now = clock.now()
      const message = await findDue(db, input.message, now)
      if (!message) return { do: 'end' }
      const step = await stepOf(db, message, input, now)
      if (step.do === 'deliver') await operationRuns(db, input.operation)
      else await noteStep(db, input.operation, message, step, now)
      return step
    },

    /**
     * One attempt to deliver. Safe to retry: an attempt that finds another attempt's marker never sends, it reconciles.
     */
    async deliverMessage(input: MessageInput & Asked): Promise<void> {
      const message = await findDue(db, input.message, clock.now())
      if (!message || (message.state === 'sending' && message.reason !== null)) return
      await deliverMessage(deps, message, input)
      tellOutcome(deps, 'message', message, await findDue(db, input.message, clock.now()))
    },
  }
}
