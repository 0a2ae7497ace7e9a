import {
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import type { ErasureInput } from './inputs.ts'
import { ended, notOurs, type Outcome } from './outcome.ts'
import { owns, waitFor } from './process.ts'

// One attempt erases for some seconds, or ends the workflows of the workspace. Attempts have no limit: what was promised is erased in
// the end, and a database that is down comes back. A missing heartbeat shows that the worker died.
const erasing = proxyActivities<Activities>({
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '15 s',
  retry: { initialInterval: '500 ms', maximumInterval: '30 s' },
  summary: 'Deletes the rows of the workspace, from the last page reached',
})

const firstLookMs = 1_000
const longestLookMs = 30_000

/**
 * Erases a workspace, in which everything is stopped already. It waits for letters that are with a server, as long as somebody hands
 * them over, and ends the other workflows of the workspace. Continues as new when its history has grown long: the place that it has
 * reached is in Postgres.
 */
export async function eraseWorkspace(input: ErasureInput): Promise<Outcome> {
  if (!(await owns(input.operation))) return notOurs
  for (let delayMs = firstLookMs; ; ) {
    const step = await erasing.eraseWorkspace(input)
    if (step.ended) return step.outcome ?? ended
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof eraseWorkspace>(input)
    const details = `${step.done} of ${step.total} steps, ${step.rows} rows are gone.`
    setCurrentDetails(details)
    if (!step.waits) {
      delayMs = firstLookMs
      continue
    }
    await waitFor(`${details} Waits for a letter that is with a server.`, delayMs, () => false)
    delayMs = Math.min(delayMs * 2, longestLookMs)
  }
}
