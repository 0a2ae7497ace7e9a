import { condition, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'

// What the processes share: their claim on the operation, and waiting for an instant or a change.

/**
 * Short work on Postgres. Without a heartbeat a worker's death is only noticed at the end of startToClose, so that is short.
 * Retried without end, at most 30 s apart: a database that is away comes back.
 */
export const rows = proxyActivities<Activities>({
  startToCloseTimeout: '10 s',
  retry: { initialInterval: '500 ms', maximumInterval: '30 s' },
})

/** True when this run owns the operation; otherwise it must end as a no-op. */
export const owns = (operation: string): Promise<boolean> =>
  rows.claimOperation({ operation, firstExecutionRunId: workflowInfo().firstExecutionRunId })

/** The longest single wait: the row is looked at again that often, whatever signals were lost. */
const longestWaitMs = 24 * 60 * 60 * 1000

/** Waits `delayMs` or until `changed()`, and says for what in the Web UI. */
export async function waitFor(details: string, delayMs: number | null, changed: () => boolean) {
  setCurrentDetails(details)
  await condition(changed, Math.min(delayMs ?? longestWaitMs, longestWaitMs))
}
