import { continueAsNew, setCurrentDetails } from '@temporalio/workflow'
import { mailQueue } from './ids.ts'
import type { MailboxSetInput } from './inputs.ts'
import type { Outcome } from './outcome.ts'
import { activitiesOn } from './process.ts'

// One activity holds the sessions of all mailboxes of the set for a day. Its heartbeats carry how many there are, have been read
// to their ends, and are in trouble; each is a write to Temporal's database, so few are sent. A worker that has died is noticed
// after half a minute. What holds follow-ups meanwhile is the lease of the set in Postgres.
const mailboxes = activitiesOn(mailQueue, {
  startToCloseTimeout: '26 hours',
  heartbeatTimeout: '30 s',
  cancellationType: 'TRY_CANCEL',
  retry: { initialInterval: '1 s', maximumInterval: '10 s' },
  summary: 'Reads the mailboxes of the set as mail arrives',
})

/** Reads the mailboxes of a set for as long as there is one. Each day continues as new. */
export async function readMailboxes(input: MailboxSetInput): Promise<Outcome> {
  setCurrentDetails(
    'Reads the mailboxes of the set as mail arrives. The heartbeat of its activity counts them: read to their ends (`read`), not yet (`behind`), in trouble (`troubled`). Each has a workflow of its own, which says how it is.',
  )
  const outcome = await mailboxes.readMailboxes(input)
  if (outcome === 'gone') return { state: 'done', reason: 'no_set' }
  return continueAsNew<typeof readMailboxes>(input)
}
