import { CancellationScope, currentUpdateInfo, patched, setHandler } from '@temporalio/workflow'
import { shortenable } from './process.ts'
import {
  listenForChanges,
  resolve,
  resolveOptions,
  retryNow,
  retryNowAll,
  retryNowOptions,
  untilParked,
} from './signals.ts'
import { showWaiting } from './waiting.ts'

/**
 * What the workflows that hand one letter over listen to: word that its row has changed, and what an operator says. `resolve`
 * and `retryNow` write down what was said.
 */
export function handingOver(
  edit: {
    /** `update` is what Temporal calls what was said: it knows who said it. */
    resolve(outcome: 'sent' | 'again', update?: string): Promise<void>
    retryNow?(update?: string): Promise<void>
  },
  options: { changedCutsWait?: boolean } = {},
) {
  const waiting = showWaiting()
  const attempts = shortenable(() => waiting.over())
  const { tell, listen } = listenForChanges(() => {
    if (options.changedCutsWait) attempts.again()
  })
  const letter = {
    /** Set while it waits for `resolve`. */
    parked: false,
    waiting,
    /** Runs the attempts; answers undefined where they were cut short. */
    attempt: attempts.run,
    listen,
  }
  const settle = async (outcome: 'sent' | 'again') => {
    await untilParked(() => letter.parked)
    await edit.resolve(outcome, currentUpdateInfo()?.id)
    tell()
  }
  setHandler(
    resolve,
    // A cancel does not end an unconfirmed letter. Histories replay only while the usual way has not one `await` more.
    (outcome) =>
      CancellationScope.current().consideredCancelled
        ? CancellationScope.nonCancellable(() => settle(outcome))
        : settle(outcome),
    resolveOptions,
  )
  setHandler(
    retryNow,
    async () => {
      if (edit.retryNow) {
        await edit.retryNow(currentUpdateInfo()?.id)
        tell()
      }
      attempts.again()
    },
    retryNowOptions,
  )
  setHandler(
    retryNowAll,
    () => {
      if (patched('retry-now-signal')) attempts.again()
    },
    retryNowOptions,
  )
  return letter
}
