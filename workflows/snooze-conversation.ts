import { CancellationScope, continueAsNew, workflowInfo } from '@temporalio/workflow'
import type { SnoozeInput } from './inputs.ts'
import { ended, notOurs, type Outcome } from './outcome.ts'
import { isCancel, owns, rowsTo, waitFor } from './process.ts'
import { listenForChanges } from './signals.ts'

const look = rowsTo('Checks whether the snooze is over')
const edit = rowsTo('Wakes the conversation')

/**
 * Keeps a conversation snoozed until its time, a wake-up, a close or a later snooze; each of these changes the row
 * and signals. It reads the row at least once a day; a snooze of many years continues as new when its history has
 * grown.
 */
export async function snoozeConversation(input: SnoozeInput): Promise<Outcome> {
  const { listen } = listenForChanges()
  if (!(await owns(input.operation))) return notOurs

  try {
    for (;;) {
      const hasChanged = listen()
      const step = await look.snoozeStep(input)
      if (step.do === 'end') return step.outcome ?? ended
      if (workflowInfo().continueAsNewSuggested) break
      await waitFor(`Snoozed until ${step.until}.`, step.delayMs, hasChanged)
    }
  } catch (error) {
    if (!isCancel(error)) throw error
    // Cancel in the Web UI: the conversation wakes now.
    return CancellationScope.nonCancellable(() => edit.endSnooze(input))
  }
  return continueAsNew<typeof snoozeConversation>(input)
}
