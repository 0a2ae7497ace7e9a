import { isCancellation, proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import type { Outcome } from './outcome.ts'

// Schedules start these. The next run comes in any case, so each is retried for a minute only: a database that
// restarts is back by then.
const upkeep = proxyActivities<Activities>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '20 s',
  retry: { maximumAttempts: 10, maximumInterval: '10 s' },
  summary: 'Does the regular upkeep of the whole deployment',
})

/**
 * Finds open operations whose workflow is closed or missing, and letters that were never settled; revives dead
 * accounts and the readers of mailboxes. Each of these is done even if another one fails.
 */
export async function sweep(): Promise<Outcome> {
  const failures: unknown[] = []
  const went = (failure: unknown) => {
    if (isCancellation(failure)) throw failure
    failures.push(failure)
    return undefined
  }
  await upkeep.reviveReaders().catch(went)
  const orphaned = await upkeep.sweepOrphans().catch(went)
  await upkeep.reviveSenders().catch(went)
  if (failures.length > 0) throw failures[0]
  return { state: 'done', orphaned: orphaned ?? 0 }
}

/** Deletes what is past its retention period. */
export async function cleanUp(): Promise<Outcome> {
  return { state: 'done', ...(await upkeep.forgetOld()) }
}
