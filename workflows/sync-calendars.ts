import { proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import type { Outcome } from './outcome.ts'

// The next run comes in any case, so this one is not tried for long.
const calendars = proxyActivities<Activities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '20 s',
  retry: { maximumAttempts: 5, maximumInterval: '10 s' },
  summary: 'Looks at the calendars of other servers',
})

/** Brings what is known of the calendars of other servers up to date; a run of a schedule. */
export async function syncCalendars(): Promise<Outcome> {
  await calendars.syncCalendars()
  return { state: 'done' }
}
