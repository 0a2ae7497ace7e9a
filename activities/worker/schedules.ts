import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client'
import type { Duration } from '@temporalio/common'
import type { WorkflowArgs, WorkflowName } from '../../db/operations/outbox.ts'
import type { Log } from '../../process/telemetry/log.ts'
import { openThinning } from '../../process/telemetry/thinned.ts'
import { summaryOf } from '../../workflows/catalogue.ts'
import { scheduleId } from '../../workflows/ids.ts'
import { codeOf } from './carry-out.ts'

/** `jitter`: each run begins at a random moment up to so long after its time, so that the runs of all schedules do not meet. */
type Schedule = {
  [K in WorkflowName]: {
    name: string
    type: K
    every: Duration
    jitter: Duration
    args: WorkflowArgs<K>
  }
}[WorkflowName]

const everywhere = { operation: null, workspace: null, connection: null }

// If a run is still going when the next one is due, the next one is skipped: each run looks at everything that is due.
const schedules: Schedule[] = [
  { name: 'sweep', type: 'sweep', every: '2 minutes', jitter: '10 s', args: [] },
  {
    name: 'health',
    type: 'checkSenders',
    every: '6 minutes',
    jitter: '1 minute',
    args: [everywhere],
  },
  { name: 'refill', type: 'refillSegments', every: '1 hour', jitter: '5 minutes', args: [] },
  { name: 'calendars', type: 'syncCalendars', every: '5 minutes', jitter: '1 minute', args: [] },
  { name: 'clean-up', type: 'cleanUp', every: '1 day', jitter: '30 minutes', args: [] },
]

/** Creates the schedules or updates those that exist. Two workers may do this at the same time. */
export async function ensureSchedules(client: Client, taskQueue: string) {
  for (const { name, type, every, jitter, args } of schedules) {
    const id = scheduleId(name, taskQueue)
    const scheduled = {
      spec: { intervals: [{ every }], jitter },
      action: {
        type: 'startWorkflow' as const,
        workflowType: type,
        taskQueue,
        args: [...args],
        workflowId: id,
        staticSummary: summaryOf(type),
      },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' as const },
    }
    try {
      await client.schedule.create({ scheduleId: id, ...scheduled })
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error
      await client.schedule.getHandle(id).update((previous) => ({ ...previous, ...scheduled }))
    }
  }
}

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
