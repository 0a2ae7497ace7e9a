import {
  CancellationScope,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow'
import { remoteQueue } from './ids.ts'
import type { ArchiveInput } from './inputs.ts'
import { ended, notOurs, type Outcome } from './outcome.ts'
import { activitiesOn, isCancel, owns, rowsTo, shortenable } from './process.ts'
import { changed } from './signals.ts'

// Attempts have no limit: each continues after the cursors, and a database or a mailbox that is down comes back. A
// missing heartbeat shows that the worker died.
const history = activitiesOn(remoteQueue, {
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '10 s',
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  retry: { initialInterval: '500 ms', maximumInterval: '30 s' },
  summary: 'Parses past correspondence, from the last message reached',
})
const edit = rowsTo('Stops the parse where it is')

/**
 * Parses the archive in stretches, and waits for nothing else. A decline changes the row and signals: the current
 * page is the last one. Cancel in the Web UI stops the parse as a decline does. Continues as new when its history has
 * grown long: the message it has reached is in Postgres.
 */
export async function parseArchive(input: ArchiveInput): Promise<Outcome> {
  const parsing = shortenable()
  setHandler(changed, () => parsing.again())
  if (!(await owns(input.operation))) return notOurs
  try {
    for (;;) {
      const step = await parsing.run(() => history.parseHistory(input))
      // A signal cut the attempt short: read the row again.
      if (!step) continue
      setCurrentDetails(`${step.done} of ${step.total ?? 'an unknown number of'} messages.`)
      if (step.ended) return step.outcome ?? ended
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof parseArchive>(input)
    }
  } catch (error) {
    if (!isCancel(error)) throw error
    await CancellationScope.nonCancellable(() => edit.stopArchive({ archive: input.archive }))
    return { state: 'declined', reason: 'operator' }
  }
}
