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
import { deliverTouch } from './deliver-touch.ts'
import { touchWorkflowId } from './ids.ts'
import type { RunnerInput } from './inputs.ts'
import { ended, notOurs, type Outcome } from './outcome.ts'
import { modelTo, owns, rowsTo, waitFor } from './process.ts'
import { listenForChanges } from './signals.ts'
import { summaries } from './summaries.ts'
import { showWaiting } from './waiting.ts'

const plan = rowsTo('Plans the first letters of people who have joined')
// It also writes letters for review.
const look = modelTo('Looks whom to write to, and whether now', (taskQueue) => taskQueue)
const edit = rowsTo('Ends the run')

// A letter that was picked twice without going (a claim that said no) is not picked a third time at once.
const secondThoughtMs = 5_000
// The end of a letter wakes the runner; should that be lost, its row is looked at this often.
const letterPollMs = 60_000

/**
 * Runs a campaign for one epoch: one letter at a time, each a child of its own. Waits for hours, budgets, agreement or
 * people, as the rows say; ends when the campaign is paused, done or started anew. Continues as new when the server suggests
 * it, which keeps any number of people within the limits of a history.
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
            summary: 'Waits before the same letter is picked again.',
          })
        last = step.touch
        const started = await deliver(step.touch, step.person, step.connection)
        await condition(() => current === null || hasChanged(), letterPollMs, {
          summary: `Waits for the end of letter ${step.touch}.`,
        })
        // A letter that was on its way already is picked again by its row: its end is not told here.
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
    setCurrentDetails(`Letter ${touch} is on its way.`)
    current = touch
    const over = () => {
      if (current === touch) current = null
    }
    // The child outlives the runner: what is claimed is settled whatever becomes of the campaign.
    const child = await startChild(deliverTouch, {
      workflowId: touchWorkflowId(touch, input.epoch),
      args: [{ campaign: input.campaign, touch, epoch: input.epoch }],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      cancellationType: 'ABANDON',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      typedSearchAttributes: childAttributes(person, connection),
      staticSummary: summaries.deliverTouch,
    }).catch(() => undefined)
    // A child that cannot be started is there already, from before this run: the letter waits for its account.
    child?.result().then(over, over)
    return child !== undefined
  }
}

// What is over by itself soon, whatever its row is looked at again for.
const brief = new Set(['gap', 'in_flight'])

const childAttributes = (person: string, connection?: string | null) => [
  ...workflowInfo()
    .typedSearchAttributes.getAll()
    .filter(({ key }) => key.name === 'Workspace' || key.name === 'Campaign'),
  { key: { name: 'Person', type: 'KEYWORD' as const }, value: person },
  ...(connection
    ? [{ key: { name: 'Connection', type: 'KEYWORD' as const }, value: connection }]
    : []),
]

const reasons: Record<string, string> = {
  weekend: 'It is the weekend; letters go on weekdays.',
  hours: "Outside the agent's hours.",
  day_limit: "The accounts have used up today's limit.",
  week_limit: "The accounts have used up this week's limit.",
  gap: 'Keeps the gap between two letters of an account.',
  review: 'Letters wait for review: agree them through the API.',
  health: "The accounts' health forbids campaign letters.",
  no_sender: 'There is no living e-mail account to send from.',
  no_agent: 'There is no enabled agent.',
  provider:
    'The mail server of the account cannot be reached or gives no answer to letters, or its mailbox has not been read: an answer may lie there.',
  nobody_left: 'Nobody is left to write to for now.',
  in_flight: 'A letter is on its way.',
}

const sentence = (blockedBy: string, until: string | null) =>
  `${reasons[blockedBy] ?? blockedBy} Waits ${until ? `until ${until}` : 'until that changes'}.`
