import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../telemetry/log.ts'
import { openThinning } from '../../telemetry/thinned.ts'
import { codeOf } from './carry-out.ts'

const everyMs = 3_000
const longestMs = 30_000
// Before that a server that is being started is nothing to be told of.
const quietMs = 10_000
const saidEveryMs = 60_000

/** Makes the schedules beside the work, tried until Temporal takes them or `signal` is aborted, and says each minute that it has not. */
export async function schedulePatiently(
  make: () => Promise<void>,
  { log, signal, firstMs = everyMs }: { log: Log; signal: AbortSignal; firstMs?: number },
) {
  const began = Date.now()
  const often = openThinning(saidEveryMs)
  let isSaid = false
  for (let tries = 0; !signal.aborted; tries++) {
    try {
      await make()
      if (isSaid) log.info('the schedules are made')
      return
    } catch (error) {
      if (signal.aborted) return
      if (Date.now() - began >= quietMs && often('schedules')) {
        isSaid = true
        log.error(
          { problem: codeOf(error), since: new Date(began).toISOString() },
          'the schedules cannot be made; until they are, nothing is swept, checked, refilled or cleaned up by them',
        )
      }
      const pauseMs = Math.min(firstMs * 1.5 ** Math.min(tries, 20), longestMs)
      await sleep(pauseMs, undefined, { signal }).catch(() => {})
    }
  }
}
