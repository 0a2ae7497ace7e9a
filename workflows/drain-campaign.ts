import { owns, rowsTo, waitFor } from './process.ts'
import { listenForChanges } from './signals.ts'

export type DrainInput = { operation: string; campaign: string }

const look = rowsTo('Counts the letters still on their way')

const firstLookMs = 1_000
const longestLookMs = 30_000

/** Waits until no letter of the paused campaign is on its way. The pause itself was a fact before this started. */
export const pauseCampaign = (input: DrainInput): Promise<void> => drain(input)

/** Waits until no letter of the ended campaign is on its way. */
export const finishCampaign = (input: DrainInput): Promise<void> => drain(input)

async function drain(input: DrainInput) {
  const { listen } = listenForChanges()
  if (!(await owns(input.operation))) return
  for (let delayMs = firstLookMs; ; delayMs = Math.min(delayMs * 2, longestLookMs)) {
    const hasChanged = listen()
    const inFlight = await look.drainCampaign(input)
    if (inFlight === 0) return
    await waitFor(
      `Waits for ${inFlight} letter${inFlight === 1 ? '' : 's'} claimed before it.`,
      delayMs,
      hasChanged,
    )
  }
}
