import { isCancellation, patched, proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import type { Outcome } from './outcome.ts'

// Runs of schedules. The next run comes in any case, so each is tried for a minute only: a database that is started anew is
// back by then.
const upkeep = proxyActivities<Activities>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '20 s',
  retry: { maximumAttempts: 10, maximumInterval: '10 s' },
  summary: 'Does what is due now and then for the whole deployment',
})

/**
 * Finds open operations whose workflow is closed or missing, and letters nobody settled; wakes dead accounts, and readers of
 * mailboxes. Each of these is done whatever became of the others.
 */
export async function sweep(): Promise<Outcome> {
  if (!patched('each-by-itself')) {
    const orphaned = await upkeep.sweepOrphans()
    await upkeep.reviveSenders()
    if (patched('mailboxes')) await upkeep.reviveReaders()
    return { state: 'done', orphaned: orphaned ?? 0 }
  }
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

/** Forgets what is past its time. */
export async function cleanUp(): Promise<Outcome> {
  return { state: 'done', ...(await upkeep.forgetOld()) }
}
