import {
  CancellationScope,
  continueAsNew,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow'
import { remoteQueue } from './ids.ts'
import type { ImportInput } from './inputs.ts'
import { ended, notOurs, type Outcome } from './outcome.ts'
import { activitiesOn, isCancel, owns, rowsTo } from './process.ts'

// One attempt reads the file and writes for some seconds. Attempts have no limit: each continues after the cursor,
// and a database that is down comes back. A missing heartbeat shows that the worker died.
const file = activitiesOn(remoteQueue, {
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '10 s',
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  retry: { initialInterval: '500 ms', maximumInterval: '30 s' },
  summary: 'Reads the file and writes people, from the last row reached',
})
const edit = rowsTo('Stops the import after the last row written')

/**
 * Imports a file of people in batches, and waits for nothing else. Cancel in the Web UI stops it after the last row
 * written. Continues as new when its history has grown long: the row it has reached is in Postgres.
 */
export async function importPeople(input: ImportInput): Promise<Outcome> {
  if (!(await owns(input.operation))) return notOurs
  try {
    for (;;) {
      const step = await file.importRows(input)
      setCurrentDetails(`${grouped(step.done)} of ${grouped(step.total)} rows.`)
      if (step.ended) return step.outcome ?? ended
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof importPeople>(input)
    }
  } catch (error) {
    if (!isCancel(error)) throw error
    await CancellationScope.nonCancellable(() => edit.stopImport({ import: input.import }))
    return { state: 'cancelled' }
  }
}

const grouped = (count: number) => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
