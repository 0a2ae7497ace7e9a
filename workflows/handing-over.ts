import { setHandler } from '@temporalio/workflow'
import { shortenable } from './process.ts'
import {
  changed,
  resolve,
  resolveOptions,
  retryNow,
  retryNowOptions,
  untilParked,
} from './signals.ts'

/**
 * What the workflows that hand one letter over listen to: word that its row has changed, and what an operator says. `resolve`
 * and `retryNow` write down what was said.
 */
export function handingOver(
  edit: {
    resolve(outcome: 'sent' | 'again'): Promise<void>
    retryNow?(): Promise<void>
  },
  options: { changedCutsWait?: boolean } = {},
) {
  let changes = 0
  const attempts = shortenable()
  const letter = {
    /** Set while it waits for `resolve`. */
    parked: false,
    attempts,
    /** Tells from now on whether something was said. */
    listen() {
      const seen = changes
      return () => changes !== seen
    },
  }
  setHandler(changed, () => {
    changes++
    if (options.changedCutsWait) attempts.again()
  })
  setHandler(
    resolve,
    async (outcome) => {
      await untilParked(() => letter.parked)
      await edit.resolve(outcome)
      changes++
    },
    resolveOptions,
  )
  setHandler(
    retryNow,
    async () => {
      if (edit.retryNow) {
        await edit.retryNow()
        changes++
      }
      attempts.again()
    },
    retryNowOptions,
  )
  return letter
}
