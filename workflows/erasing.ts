import { setCurrentDetails, workflowInfo } from '@temporalio/workflow'
import { ended, notOurs, type Outcome } from './outcome.ts'
import { owns, waitFor } from './process.ts'

// What the erasures of a person and of a workspace share: slice after slice until nothing is left, and looking again ever more rarely
// while something has to end first.

const firstLookMs = 1_000
const longestLookMs = 30_000

type Slice = { ended: boolean; waits: boolean; outcome?: Outcome | undefined }

/**
 * Erases to the end. `details` is what an operator reads after a slice, `waiting` while something has to end first. `continueAsNew` is
 * called when the history has grown long: the place that is reached is in Postgres.
 */
export async function eraseToTheEnd<S extends Slice>(
  operation: string,
  {
    slice,
    details,
    waiting,
    continueAsNew,
  }: {
    slice: () => Promise<S>
    details: (slice: S) => string
    waiting: (slice: S) => string
    continueAsNew: () => Promise<never>
  },
): Promise<Outcome> {
  if (!(await owns(operation))) return notOurs
  for (let delayMs = firstLookMs; ; ) {
    const step = await slice()
    if (step.ended) return step.outcome ?? ended
    if (workflowInfo().continueAsNewSuggested) await continueAsNew()
    setCurrentDetails(details(step))
    if (!step.waits) {
      delayMs = firstLookMs
      continue
    }
    await waitFor(waiting(step), delayMs, () => false)
    delayMs = Math.min(delayMs * 2, longestLookMs)
  }
}
