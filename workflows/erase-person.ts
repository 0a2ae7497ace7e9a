import { continueAsNew, proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import { eraseToTheEnd } from './erasing.ts'
import type { ErasureInput } from './inputs.ts'
import type { Outcome } from './outcome.ts'

// One attempt erases for some seconds. Attempts have no limit: what was promised is erased in the end, and a database that is down
// comes back. A missing heartbeat shows that the worker died.
const erasing = proxyActivities<Activities>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '10 s',
  retry: { initialInterval: '500 ms', maximumInterval: '30 s' },
  summary: 'Erases what somebody has said and was told, from the last page reached',
})

/**
 * Erases everything about a person, whose card is empty already. It waits for letters to them that are being sent, and for files
 * that are being imported. Continues as new when its history has grown long: the place that it has reached is in Postgres.
 */
export const erasePerson = (input: ErasureInput): Promise<Outcome> =>
  eraseToTheEnd(input.operation, {
    slice: () => erasing.eraseWords(input),
    details: ({ done, total }) => `${done} of ${total} steps.`,
    waiting: () => 'Waits for a letter that is being sent, or a file that is imported.',
    continueAsNew: () => continueAsNew<typeof erasePerson>(input),
  })
