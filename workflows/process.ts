import {
  type ActivityInterfaceFor,
  type ActivityOptions,
  CancellationScope,
  condition,
  isCancellation,
  proxyActivities,
  scheduleActivity,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import { remoteQueue, sendQueue } from './ids.ts'

// What the processes share: their claim on the operation, short work on rows, handing letters over, and waiting.

/**
 * Short work on Postgres, with the line an operator reads beside it. Without a heartbeat a worker's death is only noticed at
 * the end of startToClose, so that is short. Retried without end, at most 30 s apart: a database that is away comes back.
 */
export const rowsTo = (summary: string) =>
  proxyActivities<Activities>({
    startToCloseTimeout: '10 s',
    retry: { initialInterval: '500 ms', maximumInterval: '30 s' },
    summary,
  })

/** Activities on a task queue beside the workflow's own, whose name is known once a workflow runs. */
export const activitiesOn = (
  queueOf: (taskQueue: string) => string,
  options: ActivityOptions,
): ActivityInterfaceFor<Activities> =>
  new Proxy({} as ActivityInterfaceFor<Activities>, {
    get:
      (_, name) =>
      (...args: unknown[]) =>
        scheduleActivity(String(name), args, {
          ...options,
          taskQueue: queueOf(workflowInfo().taskQueue),
        }),
  })

/**
 * Handing a letter to its mail server. An account that cannot be opened is tried on, at most a minute apart: the letter must
 * go once it is back, and an operator sees the pending attempt with its cause. A worker that died is noticed by its missing
 * heartbeat. A cancel waits for the attempt in hand.
 */
export const mailTo = (summary: string) =>
  activitiesOn(sendQueue, {
    startToCloseTimeout: '15 minutes',
    heartbeatTimeout: '8 s',
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    retry: { initialInterval: '1 s', maximumInterval: '1 minute' },
    summary,
  })

/**
 * Asking a model, which may take a minute a question. One that is busy or away is asked again, at most five minutes apart and
 * without end: what it was asked must be done once it is back, and an operator sees the pending attempt with its cause. A
 * worker that died is noticed by its missing heartbeat. `queueOf`: where it mostly is short work on rows, the workflow's own.
 */
export const modelTo = (summary: string, queueOf = remoteQueue) =>
  activitiesOn(queueOf, {
    startToCloseTimeout: '10 minutes',
    heartbeatTimeout: '15 s',
    retry: { initialInterval: '1 s', maximumInterval: '5 minutes' },
    summary,
  })

const claim = rowsTo('Claims the operation for this run')

/** True when this run owns the operation; otherwise it must end as a no-op. */
export const owns = (operation: string): Promise<boolean> =>
  claim.claimOperation({ operation, firstExecutionRunId: workflowInfo().firstExecutionRunId })

/** The longest single wait: the row is looked at again that often, whatever signals were lost. */
const longestWaitMs = 7 * 24 * 60 * 60 * 1000

/** Waits `delayMs` (null: as long as it takes) or until `changed()`, and says for what in the Web UI; true when it changed. */
export async function waitFor(
  details: string,
  delayMs: number | null,
  changed: () => boolean,
): Promise<boolean> {
  setCurrentDetails(details)
  return condition(changed, Math.min(delayMs ?? longestWaitMs, longestWaitMs), { summary: details })
}

/**
 * Attempts that can be cut short: `again` cancels the wait between two of them, and `run` answers undefined then. `over` is called
 * at the end of each run, here because one `await` more around it could put the commands of recorded histories in another order.
 */
export function shortenable(over = () => {}) {
  let scope: CancellationScope | undefined
  return {
    again: () => scope?.cancel(),
    async run<T>(attempts: () => Promise<T>): Promise<T | undefined> {
      scope = new CancellationScope()
      try {
        return await scope.run(attempts)
      } catch (error) {
        // A cancel of the whole workflow goes on up.
        if (!isCancellation(error) || CancellationScope.current().consideredCancelled) throw error
        return undefined
      } finally {
        scope = undefined
        over()
      }
    },
  }
}
