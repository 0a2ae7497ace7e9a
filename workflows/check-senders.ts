import { remoteQueue } from './ids.ts'
import type { CheckInput } from './inputs.ts'
import { ended, notOurs, type Outcome } from './outcome.ts'
import { activitiesOn, owns } from './process.ts'

// Each login has ten seconds. A check that was interrupted by a worker's death is repeated.
const accounts = activitiesOn(remoteQueue, {
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '15 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
  summary: 'Logs in to the accounts',
})

/**
 * Logs in to the sending accounts and records their health. A call asks for this for its workspace; the schedule does so several
 * times an hour, each time for the next portion of the accounts of all workspaces.
 */
export async function checkSenders(input: CheckInput): Promise<Outcome> {
  if (input.operation !== null && !(await owns(input.operation))) return notOurs
  return (await accounts.checkSenders(input)) ?? ended
}
