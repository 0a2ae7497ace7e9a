import { CancellationScope, currentUpdateInfo, setHandler } from '@temporalio/workflow'
import type { Asked } from './inputs.ts'
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
 * What every workflow that hands over a letter listens to: the signal that its row has changed, and the decisions of
 * an operator. `resolve` and `retryNow` record those decisions.
 */
export function handingOver(
  edit: {
    /** `update` is Temporal's id of the operator's update: Temporal knows who sent it. */
    resolve(outcome: 'sent' | 'again', update?: string): Promise<void>
    retryNow?(update?: string): Promise<void>
  },
  options: { changedCutsWait?: boolean } = {},
) {
  const waiting = showWaiting()
  let isAsked = false
  const attempts = shortenable(() => waiting.over())
  const { tell, listen } = listenForChanges(() => {
    if (options.changedCutsWait) attempts.again()
  })
  const letter = {
    /** True while the workflow waits for `resolve`. */
    parked: false,
    waiting,
    /**
     * Runs the attempts; answers undefined when they were cut short. `asked` goes with the input of the activity: a person has
     * asked to try at once, so it tries an account too that could not be opened a moment ago.
     */
    attempt<T>(run: (asked: Asked) => Promise<T>): Promise<T | undefined> {
      const asked: Asked = isAsked ? { asked: true } : {}
      isAsked = false
      return attempts.run(() => run(asked))
    },
    listen,
  }
  const tryNow = () => {
    isAsked = true
    attempts.again()
  }
  const settle = async (outcome: 'sent' | 'again') => {
    await untilParked(() => letter.parked)
    await edit.resolve(outcome, currentUpdateInfo()?.id)
    tell()
  }
  setHandler(
    resolve,
    // A cancel does not end an unconfirmed letter. Histories replay only as long as the usual path has no further
    // `await`.
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
      tryNow()
    },
    retryNowOptions,
  )
  setHandler(retryNowAll, tryNow, retryNowOptions)
  return letter
}
