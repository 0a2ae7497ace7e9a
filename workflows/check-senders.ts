import { remoteQueue } from './ids.ts'
import type { CheckInput } from './inputs.ts'
import { ended, notOurs, type Outcome } from './outcome.ts'
import { activitiesOn, owns } from './process.ts'

// Each login has ten seconds; a check that a worker's death interrupted is made again.
const accounts = activitiesOn(remoteQueue, {
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '15 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
  summary: 'Logs in to the accounts',
})

/** Logs in to the sending accounts and notes their health; asked for by a call, or by the schedule for all workspaces. */
export async function checkSenders(input: CheckInput): Promise<Outcome> {
  if (input.operation !== null && !(await owns(input.operation))) return notOurs
  return (await accounts.checkSenders(input)) ?? ended
}
