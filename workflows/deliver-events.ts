import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import type { WebhookInput } from './inputs.ts'
import type { Outcome } from './outcome.ts'
import { waitFor } from './process.ts'
import { listenForChanges } from './signals.ts'

// A sitting takes ten seconds, and the last answers fifteen more. What fails here is ours (a database that is away), and is
// tried until it heals; what the address answers is noted in the rows.
const hooks = proxyActivities<Activities>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '10 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
  summary: 'Sends events to the webhook',
})

/**
 * Carries the events of a webhook there, in their order and some at once, for as long as any is queued; it is started again by
 * the next one. Waits for the next try of one that was not taken, for the end of a rest, or while others of
 * its workspace have all places. Continues as new when the server
 * suggests it. It needs no operation: the epoch in the webhook's row says whether it is the one to run.
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
  retry: (until: string) => `What was not taken is tried again at ${until}.`,
  turn: (until: string) =>
    `Other webhooks of the workspace come first; it has its turn at ${until}.`,
  rest: (until: string) => `The address takes nothing just now; it is tried again at ${until}.`,
}
