import {
  CancellationScope,
  continueAsNew,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import type { ArchiveInput } from './inputs.ts'
import { ended, notOurs, type Outcome } from './outcome.ts'
import { owns, rowsTo, shortenable } from './process.ts'
import { changed } from './signals.ts'

// Attempts are not counted out: each goes on behind the cursors, and a database or a mailbox that is away comes back. A worker
// that died is noticed by its missing heartbeat.
const history = proxyActivities<Activities>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '10 s',
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  retry: { initialInterval: '500 ms', maximumInterval: '30 s' },
  summary: 'Parses what was written before, from where it stands',
})
const edit = rowsTo('Stops the parse at its row')

/**
 * Parses the archive, stretch by stretch, and waits for nothing else. A decline changes the row and signals: the page in hand is
 * the last. Cancel in the Web UI stops it at its row as a decline does. Continues as new when its history has grown long: where
 * it stands is in Postgres.
 */
export async function parseArchive(input: ArchiveInput): Promise<Outcome> {
  const parsing = shortenable()
  setHandler(changed, () => parsing.again())
  if (!(await owns(input.operation))) return notOurs
  try {
    for (;;) {
      const step = await parsing.run(() => history.parseHistory(input))
      // Cut short by a signal: the row is looked at again.
      if (!step) continue
      setCurrentDetails(`${step.done} of ${step.total ?? 'so far unknown'} messages.`)
      if (step.ended) return step.outcome ?? ended
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof parseArchive>(input)
    }
  } catch (error) {
    if (!isCancellation(error)) throw error
    await CancellationScope.nonCancellable(() => edit.stopArchive({ archive: input.archive }))
    return { state: 'declined', reason: 'operator' }
  }
}
