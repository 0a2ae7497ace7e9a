import { CancellationScope, continueAsNew, workflowInfo } from '@temporalio/workflow'
import type { TaskInput } from './inputs.ts'
import { ended, notOurs, type Outcome } from './outcome.ts'
import { isCancel, modelTo, owns, rowsTo, waitFor } from './process.ts'
import { listenForChanges } from './signals.ts'
import { showWaiting } from './waiting.ts'

const look = rowsTo('Checks whether the task is due, and which agent carries it out')
const agent = modelTo('Has the agent carry out the task')
const edit = rowsTo('Cancels the task')

/**
 * Has an agent carry out one task: waits for its time, then for the agent's hours, then queues the message that the
 * agent writes, which another workflow sends. A task without a time is kept as an instruction and ends at once. It
 * reads the row at least once a week; a wait of many years continues as new.
 */
export async function runTask(input: TaskInput): Promise<Outcome> {
  const { listen } = listenForChanges()
  const waiting = showWaiting()
  if (!(await owns(input.operation))) return notOurs

  try {
    for (;;) {
      const hasChanged = listen()
      const step = await look.taskStep(input)
      if (step.do === 'end') return step.outcome ?? ended
      if (step.do === 'wait') waiting.waits(step.for, step.delayMs, step.searchable)
      else waiting.waits(null, null, undefined)
      if (step.do === 'wait')
        await waitFor(sentences[step.for](step.until), step.delayMs, hasChanged)
      else {
        await agent.carryOutTask(input)
        waiting.over()
      }
      if (workflowInfo().continueAsNewSuggested) break
    }
  } catch (error) {
    if (!isCancel(error)) throw error
    // Cancel in the Web UI: if the agent has not written the message yet, it is not written.
    return CancellationScope.nonCancellable(() => edit.cancelTask(input))
  }
  return continueAsNew<typeof runTask>(input)
}

const sentences = {
  due: (until: string | null) => `Waits until ${until}, when the task is due.`,
  hours: (until: string | null) =>
    until
      ? `Outside the agent's hours. Waits until ${until}.`
      : "The agent's hours never open. Waits until they do.",
}
