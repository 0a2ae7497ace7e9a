import {
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow'
import type { MailboxInput } from './inputs.ts'
import type { Outcome } from './outcome.ts'
import { rowsTo } from './process.ts'
import { changed, changedOptions, retryNow, retryNowAll, retryNowOptions } from './signals.ts'
import { showWaiting } from './waiting.ts'

const reads = 'Reads the mailbox as mail arrives.'
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const look = rowsTo('Looks how the mailbox is read')
const retry = rowsTo('Has the mailbox tried now')

/**
 * The handle of a mailbox, for as long as its account has one: it shows how the mailbox is read, what is wrong with it since
 * when, and has it tried again when a person asks. Reading itself is done for a whole set of mailboxes (readMailboxes).
 */
export async function syncMailbox(input: MailboxInput): Promise<Outcome> {
  let changes = 0
  let asked = 0
  const ask = () => {
    asked++
    changes++
  }
  setHandler(changed, () => void changes++, changedOptions)
  setHandler(retryNow, ask, retryNowOptions)
  setHandler(retryNowAll, ask, retryNowOptions)
  const waiting = showWaiting(reads)
  let looks = 0
  for (;;) {
    const seen = changes
    if (asked > 0) {
      asked = 0
      await retry.retryMailbox(input)
    }
    const described = await look.describeMailbox(input)
    if (described === null) return { state: 'done', reason: 'no_mailbox' }
    if (!waiting.trouble()) setCurrentDetails(described.text)
    looks = described.isRead ? 0 : looks + 1
    // A handle that is lost is started again by the sweep.
    const pauseMs = described.isRead ? dayMs : Math.min(minuteMs * 2 ** looks, dayMs)
    await condition(() => changes !== seen, pauseMs, { summary: 'Looks again how it is read' })
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof syncMailbox>(input)
  }
}
