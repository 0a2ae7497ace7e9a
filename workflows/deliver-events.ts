import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import type { WebhookInput } from './inputs.ts'
import type { Outcome } from './outcome.ts'
import { waitFor } from './process.ts'
import { listenForChanges } from './signals.ts'

// A sitting takes ten seconds, and its last requests up to fifteen more. An error here is ours (such as a database
// that is down) and is retried without end; the answers of the webhook's address are recorded in the rows.
const hooks = proxyActivities<Activities>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '10 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
  summary: 'Sends events to the webhook',
})

/**
 * Delivers the events of one webhook in order, several at once, for as long as any are queued; the next event starts
 * it again. Waits for the next attempt of an event that was not accepted, for the end of a rest, or for a free place
 * while other webhooks of its workspace hold them all. Continues as new when the server suggests it. It has no
 * operation: the epoch in the webhook's row says which run is the current one.
 */
export async function deliverEvents(input: WebhookInput): Promise<Outcome> {
  const { listen } = listenForChanges()
  for (;;) {
    const hasChanged = listen()
    const step = await hooks.deliverEvents(input)
    if (step.do === 'end') return { state: 'done', reason: 'nothing_queued' }
    if (step.do === 'wait') await waitFor(sentences[step.for](step.until), step.delayMs, hasChanged)
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof deliverEvents>(input)
  }
}

const sentences = {
  retry: (until: string) => `The next attempt for the event that was not accepted is at ${until}.`,
  turn: (until: string) =>
    `Other webhooks of the workspace come first; this one has its turn at ${until}.`,
  rest: (until: string) =>
    `The address accepts nothing at the moment; the next attempt is at ${until}.`,
}
