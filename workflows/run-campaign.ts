import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  ParentClosePolicy,
  setCurrentDetails,
  startChild,
  workflowInfo,
} from '@temporalio/workflow'
import { type WaitsFor, waitingSentences } from '../rules/campaign.ts'
import { deliverTouch } from './deliver-touch.ts'
import { touchWorkflowId } from './ids.ts'
import type { RunnerInput } from './inputs.ts'
import { ended, notOurs, type Outcome } from './outcome.ts'
import { modelTo, owns, rowsTo, waitFor } from './process.ts'
import { listenForChanges } from './signals.ts'
import { summaries } from './summaries.ts'
import { showWaiting } from './waiting.ts'

const plan = rowsTo('Plans the first letters of people who have joined')
// This activity also writes letters for review.
const look = modelTo('Decides who is written to next, and when', (taskQueue) => taskQueue)
const edit = rowsTo('Ends the run')

// If the same letter was picked twice without being sent (because its claim was refused), pause before trying it
// again.
const secondThoughtMs = 5_000
// The end of a letter wakes the runner. If that signal is lost, the letter's row is read this often.
const letterPollMs = 60_000

/**
 * Runs a campaign for one epoch: one letter at a time, each in a child workflow. Waits for hours, budgets, agreement
 * or people, as the rows say; ends when the campaign is paused, done or started again. Continues as new when the
 * server suggests it, so any number of people fits within the limits of a history.
 */
export async function runCampaign(input: RunnerInput): Promise<Outcome> {
  let joined = true
  let current: string | null = null
  let last: string | null = null
  const { listen } = listenForChanges(() => {
    joined = true
  })
  if (!(await owns(input.operation))) return notOurs
  const waiting = showWaiting()

  try {
    for (;;) {
      const hasChanged = listen()
      const letter = current
      if (joined) {
        joined = false
        while ((await plan.planLetters(input)) > 0)
          setCurrentDetails('Plans the first letters of people who have joined.')
      }
      const step = await look.campaignStep({ ...input, current })
      if (step.do === 'end') break
      if (step.do === 'again') joined = true
      else if (step.do === 'wait') {
        const { blockedBy, delayMs, searchable } = step
        waiting.waits(brief.has(blockedBy) ? null : blockedBy, delayMs, searchable)
        await waitFor(
          sentence(step.blockedBy, step.until),
          step.delayMs,
          () => hasChanged() || current !== letter,
        )
      } else {
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
      }
      if (workflowInfo().continueAsNewSuggested) {
        await condition(allHandlersFinished)
        await continueAsNew<typeof runCampaign>(input)
      }
    }
    return (await edit.endRunner(input)) ?? ended
  } catch (error) {
    if (!isCancellation(error)) throw error
    return (await CancellationScope.nonCancellable(() => edit.pauseByOperator(input))) ?? ended
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
const brief = new Set<WaitsFor>(['gap', 'in_flight'])

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
const sentence = (blockedBy: WaitsFor, until: string | null) =>
  `${waitingSentences[blockedBy] ?? blockedBy} Waits ${until ? `until ${until}` : 'until this changes'}.`
