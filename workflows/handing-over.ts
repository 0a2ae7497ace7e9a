import { setHandler } from '@temporalio/workflow'
import { shortenable } from './process.ts'
import {
  listenForChanges,
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
  const attempts = shortenable()
  const { tell, listen } = listenForChanges(() => {
    if (options.changedCutsWait) attempts.again()
  })
  const letter = {
    /** Set while it waits for `resolve`. */
    parked: false,
    attempts,
    listen,
  }
  setHandler(
    resolve,
    async (outcome) => {
      await untilParked(() => letter.parked)
      await edit.resolve(outcome)
      tell()
    },
    resolveOptions,
  )
  setHandler(
    retryNow,
    async () => {
      if (edit.retryNow) {
        await edit.retryNow()
        tell()
      }
      attempts.again()
    },
    retryNowOptions,
  )
  return letter
}
