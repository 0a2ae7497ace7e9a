import { remoteQueue } from './ids.ts'
import type { Outcome } from './outcome.ts'
import { activitiesOn } from './process.ts'

// The next run comes in any case, so this one is not retried for long.
const calendars = activitiesOn(remoteQueue, {
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '20 s',
  retry: { maximumAttempts: 5, maximumInterval: '10 s' },
  summary: 'Reads the calendars on other servers',
})

/** Updates what is stored of the calendars on other servers. A schedule starts it. */
export async function syncCalendars(): Promise<Outcome> {
  await calendars.syncCalendars()
  return { state: 'done' }
}
