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

// One attempt erases for some seconds. Attempts have no limit: what was promised is erased in the end, and a database that is down
// comes back. A missing heartbeat shows that the worker died.
const erasing = proxyActivities<Activities>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '10 s',
  retry: { initialInterval: '500 ms', maximumInterval: '30 s' },
  summary: 'Erases what somebody has said and was told, from the last page reached',
})

const firstLookMs = 1_000
const longestLookMs = 30_000

/**
 * Erases everything about a person, whose card is empty already. It waits for letters to them that are being sent, and for files
 * that are being imported. Continues as new when its history has grown long: the place that it has reached is in Postgres.
 */
export async function erasePerson(input: ErasureInput): Promise<Outcome> {
  if (!(await owns(input.operation))) return notOurs
  for (let delayMs = firstLookMs; ; ) {
    const step = await erasing.eraseWords(input)
    if (step.ended) return step.outcome ?? ended
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof erasePerson>(input)
    setCurrentDetails(`${step.done} of ${step.total} steps.`)
    if (!step.waits) {
      delayMs = firstLookMs
      continue
    }
    await waitFor(
      'Waits for a letter that is being sent, or a file that is imported.',
      delayMs,
      () => false,
    )
    delayMs = Math.min(delayMs * 2, longestLookMs)
  }
}
