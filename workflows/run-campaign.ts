import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  patched,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow'
import type { Sat } from '../activities/campaigns/send-due.ts'
import { returnedSentence, type WaitsFor, waitingSentences } from '../rules/campaign.ts'
import { isOfPeople } from '../rules/wakes.ts'
import type { Asked, RunnerInput } from './inputs.ts'
import { ended, notOurs, type Outcome } from './outcome.ts'
import { isCancel, mailTo, modelTo, owns, rowsTo, waitFor } from './process.ts'
import { listenForChanges, retryNow, retryNowAll, retryNowOptions } from './signals.ts'
import { showWaiting } from './waiting.ts'

const plan = rowsTo('Plans the first letters of people who have joined')
const mail = mailTo('Sends the letters that are due, one after the other')
const model = modelTo('Writes the letters that are due next, and letters for review')
const edit = rowsTo('Ends the run')

// The tries of an account that cannot be opened are ever further apart. From then on it is shown as a trouble that lasts.
const lastingMs = 10_000
// These waits are short, so WaitingFor does not show them, even if the row is next read much later.
const brief: ReadonlySet<WaitsFor> = new Set<WaitsFor>(['gap', 'in_flight'])

// A worker that does not have the runner in memory reads its history again; after so many sittings, that would cost more than the
// sitting it is read for.
const mostSittings = 100
// What a run that began under 0.4.0 does otherwise.
const wakeReasons = 'wake-reasons'

/**
 * Runs a campaign for one epoch: its activity sends what may go now, letter by letter, and says what holds the rest. Waits for
 * hours, budgets, agreement or people, as the rows say; ends when the campaign is paused, done or started again. Plans first
 * letters when people may have joined, and for no other reason. Continues as new after some sittings, or when the server suggests
 * it: any number of people fits within the limits of a history, and a worker that reads it again does so soon.
 */
export async function runCampaign(input: RunnerInput): Promise<Outcome> {
  let joined = input.joined ?? true
  // Something has changed, whether it concerns people or not: before there were reasons, each signal had first letters planned.
  let woken = false
  let sittings = 0
  let paused: Outcome | undefined
  const { listen, tell } = listenForChanges((reason) => {
    woken = true
    joined ||= isOfPeople(reason)
  })
  let isAsked = false
  const tryNow = () => {
    isAsked = true
    tell()
  }
  setHandler(retryNow, tryNow, retryNowOptions)
  setHandler(retryNowAll, tryNow, retryNowOptions)
  if (!(await owns(input.operation))) return notOurs
  const waiting = showWaiting()
  const writing = openWriting(input, (written) => {
    waiting.over()
    if (written > 0) tell()
  })

  try {
    for (;;) {
      const hasChanged = listen()
      const isAnew = joined || (woken && !patched(wakeReasons))
      woken = false
      if (isAnew) {
        joined = false
        while ((await plan.planLetters(input)) > 0)
          setCurrentDetails('Plans the first letters of people who have joined.')
      }
      const sat = await sit()
      if (sat.do === 'end') break
      if (sat.do === 'wait') await hold(sat, hasChanged)
      else {
        if (!writing.isOn()) waiting.waits(null, null, undefined)
        if (sat.plan) joined = true
      }
      const isLong = ++sittings >= mostSittings && patched(wakeReasons)
      if (isLong || workflowInfo().continueAsNewSuggested) {
        writing.stop()
        await condition(allHandlersFinished)
        await continueAsNew<typeof runCampaign>({ ...input, joined })
      }
    }
    writing.stop()
    return (await edit.endRunner(input)) ?? ended
  } catch (error) {
    if (!isCancel(error)) throw error
    return (
      paused ?? (await CancellationScope.nonCancellable(() => edit.pauseByOperator(input))) ?? ended
    )
  }

  /** A cancel pauses the campaign at once, so that no further letter is claimed; the one in hand is settled before the end. */
  async function sit(): Promise<Sat & { searchable?: boolean }> {
    setCurrentDetails('Sends the letters that are due.')
    const asked: Asked = isAsked ? { asked: true } : {}
    isAsked = false
    const sitting = mail.sendDue({ ...input, ...asked })
    try {
      return await Promise.race([sitting, CancellationScope.current().cancelRequested])
    } catch (error) {
      if (isCancellation(error))
        await CancellationScope.nonCancellable(async () => {
          paused = (await edit.pauseByOperator(input)) ?? ended
          await sitting.catch(() => {})
        })
      throw error
    } finally {
      if (!writing.isOn()) waiting.over()
    }
  }

  async function hold(
    sat: Extract<Sat, { do: 'wait' }> & { searchable?: boolean },
    hasChanged: () => boolean,
  ) {
    const { blockedBy, until, delayMs, writes, trouble, searchable, returned } = sat
    if (writes) writing.start()
    const what = trouble ? 'connection' : brief.has(blockedBy) ? null : blockedBy
    // While letters are being written, it is shown what the writing cannot get past.
    if (what || !writing.isOn())
      waiting.waits(
        what,
        trouble && delayMs > lastingMs ? null : delayMs,
        searchable,
        trouble?.connection,
      )
    const also =
      trouble?.text ?? (writing.isOn() ? waiting.trouble() || 'Letters are being written.' : '')
    await waitFor(
      [also, sentence(blockedBy, until, returned)].filter(Boolean).join(' '),
      delayMs,
      hasChanged,
    )
  }
}

/** Has letters written beside those that are being sent; `over` is called with how many were written. */
function openWriting(input: RunnerInput, over: (written: number) => void) {
  let scope: CancellationScope | undefined
  return {
    isOn: () => scope !== undefined,
    start() {
      if (scope) return
      const writing = new CancellationScope()
      scope = writing
      const end = (written: number) => {
        scope = undefined
        over(written)
      }
      writing.run(() => model.writeAhead(input)).then(end, () => end(0))
    },
    stop: () => scope?.cancel(),
  }
}

// An activity of a later release may know a word that this one does not.
const sentence = (blockedBy: WaitsFor, until: string | null, returned = 0) =>
  `${returned > 0 ? returnedSentence(returned) : (waitingSentences[blockedBy] ?? blockedBy)} Waits ${until ? `until ${until}` : 'until this changes'}.`
