import {
  CancellationScope,
  continueAsNew,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import type { ImportInput } from './inputs.ts'
import { ended, notOurs, type Outcome } from './outcome.ts'
import { owns, rowsTo } from './process.ts'

// One call reads the file and writes for some seconds. Its attempts are not counted out: each takes up behind the cursor, and
// a database that is away comes back. A worker that died is noticed by its missing heartbeat.
const file = proxyActivities<Activities>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '10 s',
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  retry: { initialInterval: '500 ms', maximumInterval: '30 s' },
  summary: 'Reads the file and writes people, from where it stands',
})
const edit = rowsTo('Stops the import at its row')

/**
 * Imports a file of people, stretch by stretch, and waits for nothing else. Cancel in the Web UI stops it at its row. Continues
 * as new when its history has grown long: where it stands is in Postgres.
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
    if (!isCancellation(error)) throw error
    await CancellationScope.nonCancellable(() => edit.stopImport({ import: input.import }))
    return { state: 'cancelled' }
  }
}

const grouped = (count: number) => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
