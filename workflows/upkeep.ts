import { isCancellation, patched, proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'

// Runs of schedules. The next run comes in any case, so each is tried for a minute only: a database that is started anew is
// back by then.
const upkeep = proxyActivities<Activities>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '20 s',
  retry: { maximumAttempts: 10, maximumInterval: '10 s' },
  summary: 'Looks after the house',
})

/**
 * Finds open operations whose workflow is closed or missing, and letters nobody settled; wakes dead accounts, and readers of
 * mailboxes. Each of these is done whatever became of the others.
 */
export async function sweep(): Promise<void> {
  if (!patched('each-by-itself')) {
    await upkeep.sweepOrphans()
    await upkeep.reviveSenders()
    if (patched('mailboxes')) await upkeep.reviveReaders()
    return
  }
  const failures: unknown[] = []
  for (const step of [upkeep.reviveReaders, upkeep.sweepOrphans, upkeep.reviveSenders])
    await step().catch((failure) => {
      if (isCancellation(failure)) throw failure
      failures.push(failure)
    })
  if (failures.length > 0) throw failures[0]
}

/** Forgets what is past its time. */
export async function cleanUp(): Promise<void> {
  await upkeep.forgetOld()
}
