import { remoteQueue } from './ids.ts'
import type { VerificationInput } from './inputs.ts'
import { ended, notOurs, type Outcome } from './outcome.ts'
import { activitiesOn, owns, rowsTo } from './process.ts'

// To find the servers and to log in takes twenty seconds each at most, and a place among those of the workspace. An attempt that
// was interrupted by a worker's death is repeated.
const servers = activitiesOn(remoteQueue, {
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
  summary: 'Finds the servers and logs in',
})
const edit = rowsTo('Keeps the connection, and answers')

/**
 * Finds the servers of a mailbox, logs in to them, and keeps the mailbox as a connection if it was asked to. A call waits for it, or
 * the page of the mailbox's owner. It waits for nothing but the servers, so it never continues as new. Its input names rows alone:
 * the password is sealed in the row until it has ended.
 */
export async function verifyConnection(input: VerificationInput): Promise<Outcome> {
  if (input.operation !== null && !(await owns(input.operation))) return notOurs
  await servers.tryConnection(input)
  return (await edit.keepConnection(input)) ?? ended
}
