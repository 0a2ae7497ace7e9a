import { continueAsNew, workflowInfo } from '@temporalio/workflow'
import { remoteQueue } from './ids.ts'
import type { RemovalInput } from './inputs.ts'
import { ended, notOurs, type Outcome } from './outcome.ts'
import { activitiesOn, owns, waitFor } from './process.ts'

// A try takes fifteen seconds at most; the activity itself gives up after five.
const provider = activitiesOn(remoteQueue, {
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '15 s',
  retry: { initialInterval: '2 s', maximumInterval: '1 minute' },
  summary: 'Takes back the consent at the provider',
})
// Attempts have no limit: what is queued has to end, and a database that is down comes back. A missing heartbeat shows that the worker
// died.
const rows = activitiesOn((taskQueue) => taskQueue, {
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '15 s',
  retry: { initialInterval: '500 ms', maximumInterval: '30 s' },
  summary: 'Ends what is queued through the connection',
})

const firstLookMs = 1_000
const longestLookMs = 30_000

/**
 * Ends what is queued through a connection that was removed, and takes back the consent of its owner if that was asked for. It waits
 * for letters that are with a server, because what follows them ends too. Continues as new when its history has grown long.
 */
export async function removeConnection(
  input: RemovalInput & { revoked?: 'revoked' | 'not_supported' | 'failed' | null },
): Promise<Outcome> {
  if (!(await owns(input.operation))) return notOurs
  const revoked =
    input.revoked !== undefined
      ? input.revoked
      : input.revoke
        ? await provider.revokeConsent(input)
        : null
  let letters = 0
  for (let delayMs = firstLookMs; ; delayMs = Math.min(delayMs * 2, longestLookMs)) {
    const step = await rows.endThroughConnection({ ...input, revoked, letters })
    if (step.ended) return step.outcome ?? ended
    letters = step.letters
    if (workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof removeConnection>({ ...input, revoked })
    const details = `Letters that have ended: ${letters}. Waits for one that is with a server.`
    await waitFor(details, delayMs, () => false)
  }
}
