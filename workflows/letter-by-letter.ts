import {
  condition,
  ParentClosePolicy,
  setCurrentDetails,
  startChild,
  workflowInfo,
} from '@temporalio/workflow'
import { returnedSentence, type WaitsFor, waitingSentences } from '../rules/campaign.ts'
import { deliverTouch } from './deliver-touch.ts'
import { touchWorkflowId } from './ids.ts'
import type { RunnerInput } from './inputs.ts'
import { modelTo, waitFor } from './process.ts'
import { summaries } from './summaries.ts'
import type { Waiting } from './waiting.ts'

// How runs of 0.3.0 and earlier send: each letter in a child workflow. It is kept for runs that are replayed; a run goes on
// without it as soon as it has caught up with its history.

// This activity also writes letters for review.
const look = modelTo('Decides who is written to next, and when', (taskQueue) => taskQueue)

// If the same letter was picked twice without being sent (because its claim was refused), pause before trying it
// again.
const secondThoughtMs = 5_000
// The end of a letter wakes the runner. If that signal is lost, the letter's row is read this often.
const letterPollMs = 60_000

export function letterByLetter(input: RunnerInput, waiting: Waiting) {
  let current: string | null = null
  let last: string | null = null
  let letter: string | null = null

  return {
    /** The letter whose workflow has not ended. */
    current: () => current,
    listen() {
      letter = current
    },
    async next(hasChanged: () => boolean): Promise<'end' | 'again' | 'on'> {
      const step = await look.campaignStep({ ...input, current })
      if (step.do === 'end' || step.do === 'again') return step.do
      if (step.do === 'wait') {
        const { blockedBy, delayMs, searchable } = step
        waiting.waits(brief.has(blockedBy) ? null : blockedBy, delayMs, searchable)
        await waitFor(
          sentence(step.blockedBy, step.until),
          step.delayMs,
          () => hasChanged() || current !== letter,
        )
        return 'on'
      }
      waiting.waits(null, null, undefined)
      if (step.touch === last)
        await condition(hasChanged, secondThoughtMs, {
          summary: 'Pauses before trying the same letter again.',
        })
      last = step.touch
      const started = await deliver(step.touch, step.person, step.connection)
      await condition(() => current === null || hasChanged(), letterPollMs, {
        summary: `Waits for the end of letter ${step.touch}.`,
      })
      // A letter whose workflow was already running is picked again by its row: this run is not notified of its end.
      if (!started) current = null
      return 'on'
    },
  }

  async function deliver(touch: string, person: string, connection?: string | null) {
    setCurrentDetails(`Letter ${touch} is being sent.`)
    current = touch
    const over = () => {
      if (current === touch) current = null
    }
    // The child outlives the runner: a letter that is claimed is settled even if the campaign ends.
    const child = await startChild(deliverTouch, {
      workflowId: touchWorkflowId(touch, input.epoch),
      args: [{ campaign: input.campaign, touch, epoch: input.epoch }],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      cancellationType: 'ABANDON',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      typedSearchAttributes: childAttributes(person, connection),
      staticSummary: summaries.deliverTouch,
    }).catch(() => undefined)
    // A child that cannot be started has been running since before this run: its letter waits for the account.
    child?.result().then(over, over)
    return child !== undefined
  }
}

// These waits are short, so WaitingFor does not show them, even if the row is next read much later.
export const brief: ReadonlySet<WaitsFor> = new Set<WaitsFor>(['gap', 'in_flight'])

const childAttributes = (person: string, connection?: string | null) => [
  ...workflowInfo()
    .typedSearchAttributes.getAll()
    .filter(({ key }) => key.name === 'Workspace' || key.name === 'Campaign'),
  { key: { name: 'Person', type: 'KEYWORD' as const }, value: person },
  ...(connection
    ? [{ key: { name: 'Connection', type: 'KEYWORD' as const }, value: connection }]
    : []),
]

// An activity of a later release may know a word that this one does not.
export const sentence = (blockedBy: WaitsFor, until: string | null, returned = 0) =>
  `${returned > 0 ? returnedSentence(returned) : (waitingSentences[blockedBy] ?? blockedBy)} Waits ${until ? `until ${until}` : 'until this changes'}.`
