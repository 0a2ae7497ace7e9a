import type { DrainInput } from './inputs.ts'
import { notOurs, type Outcome } from './outcome.ts'
import { owns, rowsTo, waitFor } from './process.ts'
import { listenForChanges } from './signals.ts'

const look = rowsTo('Counts the letters that are still being sent')

const firstLookMs = 1_000
const longestLookMs = 30_000

/** Waits until no letter of the paused campaign is being sent. The pause itself took effect before this started. */
export const pauseCampaign = (input: DrainInput): Promise<Outcome> => drain(input, 'paused')

/** Waits until no letter of the ended campaign is being sent. */
export const finishCampaign = (input: DrainInput): Promise<Outcome> => drain(input, 'done')

async function drain(input: DrainInput, state: 'paused' | 'done'): Promise<Outcome> {
  const { listen } = listenForChanges()
  if (!(await owns(input.operation))) return notOurs
  for (let delayMs = firstLookMs; ; delayMs = Math.min(delayMs * 2, longestLookMs)) {
    const hasChanged = listen()
    const inFlight = await look.drainCampaign(input)
    if (inFlight === 0) return { state, inFlight }
    await waitFor(
      `Waits for ${inFlight} letter${inFlight === 1 ? '' : 's'} claimed earlier.`,
      delayMs,
      hasChanged,
    )
  }
}
