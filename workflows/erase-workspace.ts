import { continueAsNew, proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import { eraseToTheEnd } from './erasing.ts'
import type { ErasureInput } from './inputs.ts'
import type { Outcome } from './outcome.ts'

// One attempt erases for some seconds, or ends the workflows of the workspace. Attempts have no limit: what was promised is erased in
// the end, and a database that is down comes back. A missing heartbeat shows that the worker died.
const erasing = proxyActivities<Activities>({
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '15 s',
  retry: { initialInterval: '500 ms', maximumInterval: '30 s' },
  summary: 'Deletes the rows of the workspace, from the last page reached',
})

/**
 * Erases a workspace, in which everything is stopped already. It waits for letters that are with a server, as long as somebody hands
 * them over, and ends the other workflows of the workspace. Continues as new when its history has grown long: the place that it has
 * reached is in Postgres.
 */
export const eraseWorkspace = (input: ErasureInput): Promise<Outcome> =>
  eraseToTheEnd(input.operation, {
    slice: () => erasing.eraseWorkspace(input),
    details,
    waiting: (step) => `${details(step)} Waits for a letter that is with a server.`,
    continueAsNew: () => continueAsNew<typeof eraseWorkspace>(input),
  })

const details = ({ done, total, rows }: { done: number; total: number; rows: number }) =>
  `${done} of ${total} steps, ${rows} rows are gone.`
