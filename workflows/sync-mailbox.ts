import {
  continueAsNew,
  patched,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow'
import { mailQueue } from './ids.ts'
import type { MailboxInput } from './inputs.ts'
import type { Outcome } from './outcome.ts'
import { activitiesOn, shortenable } from './process.ts'
import { changed, changedOptions, retryNow, retryNowAll, retryNowOptions } from './signals.ts'
import { showWaiting } from './waiting.ts'

const reads = 'Reads the mailbox as mail arrives.'

// A sitting lasts half an hour and ends by itself. A mailbox that cannot be read is retried without end, at most 20 s
// apart: new mail must be seen soon after its server is back, and an operator sees the pending attempt with its
// cause. A heartbeat reaches the server once a minute: each is a write to its database, and most of what a mailbox
// would cost. A reader that has died with its process is noticed after 75 seconds; what holds follow-ups meanwhile is the
// mailbox's row, which says within 30 seconds that nobody reads it.
const mailbox = activitiesOn(mailQueue, {
  startToCloseTimeout: '2 hours',
  heartbeatTimeout: '75 s',
  cancellationType: 'TRY_CANCEL',
  retry: { initialInterval: '1 s', maximumInterval: '20 s' },
  summary: 'Reads the mailbox as mail arrives',
})

/**
 * Reads an account's mailbox for as long as the account has one. A change of the account ends the sitting, and the
 * next one uses its new settings. Continues as new when the server suggests it.
 */
export async function syncMailbox(input: MailboxInput): Promise<Outcome> {
  const sitting = shortenable()
  setHandler(changed, () => sitting.again(), changedOptions)
  setHandler(retryNow, () => void sitting.again(), retryNowOptions)
  setHandler(
    retryNowAll,
    () => {
      if (patched('retry-now-signal')) sitting.again()
    },
    retryNowOptions,
  )
  const waiting = showWaiting(reads)
  setCurrentDetails(reads)
  for (;;) {
    const outcome = await sitting.run(() => mailbox.syncMailbox(input))
    waiting.over()
    if (outcome === 'gone') return { state: 'done', reason: 'no_mailbox' }
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof syncMailbox>(input)
  }
}
