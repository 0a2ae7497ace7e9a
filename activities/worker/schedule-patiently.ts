import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../process/telemetry/log.ts'
import { openThinning } from '../../process/telemetry/thinned.ts'
import { codeOf } from './carry-out.ts'

const everyMs = 3_000
const longestMs = 30_000
// Until then the server may just be starting, which is not worth a log line.
const quietMs = 10_000
const saidEveryMs = 60_000

/**
 * Creates the schedules in the background, retrying until Temporal accepts them or `signal` is aborted. Logs a line each minute
 * while it fails.
 */
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
      if (isSaid) log.info('the schedules are in place')
      return
    } catch (error) {
      if (signal.aborted) return
      if (Date.now() - began >= quietMs && often('schedules')) {
        isSaid = true
        log.error(
          { problem: codeOf(error), since: new Date(began).toISOString() },
          'the schedules cannot be created; retrying. Until they exist, no scheduled sweep, check, refill or cleanup runs',
        )
      }
      const pauseMs = Math.min(firstMs * 1.5 ** Math.min(tries, 20), longestMs)
      await sleep(pauseMs, undefined, { signal }).catch(() => {})
    }
  }
}
