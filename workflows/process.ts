import {
  type ActivityInterfaceFor,
  type ActivityOptions,
  CancellationScope,
  condition,
  isCancellation,
  proxyLocalActivities,
  scheduleActivity,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import { remoteQueue, sendQueue } from './ids.ts'

// What the workflows share: claiming the operation, short work on rows, handing letters over, and waiting.

/**
 * The task queue of the deployment. A workflow that runs on another queue has it in its memo, because on replay nothing else
 * says it.
 */
export const deploymentQueue = (): string => {
  const { memo, taskQueue } = workflowInfo()
  const told = memo?.['taskQueue']
  return typeof told === 'string' ? told : taskQueue
}

/** Activities on one of the deployment's task queues, whose name is known only while a workflow runs. */
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
          taskQueue: queueOf(deploymentQueue()),
        }),
  })

/**
 * Short work on Postgres, with the summary that an operator reads beside it. Without a heartbeat, a worker's death is
 * noticed only when startToClose ends, so that is short. Retries have no limit and are at most 30 s apart: a database
 * that is down comes back.
 */
export const rowsTo = (summary: string) =>
  activitiesOn((taskQueue) => taskQueue, {
    startToCloseTimeout: '10 s',
    retry: { initialInterval: '500 ms', maximumInterval: '30 s' },
    summary,
  })

/**
 * Handing a letter to its mail server. An account that cannot be opened is retried without end, at most a minute
 * apart: the letter must go once the account works again, and an operator sees the pending attempt with its cause. A
 * missing heartbeat shows that the worker died. A cancel waits for the current attempt.
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
 * Handing a letter over within the task of its workflow, as a local activity: for a moment only, because the workflow answers
 * nobody meanwhile. It is tried once; `mailTo` does what is left, where an operator sees it.
 */
export const mailAtOnce = (summary: string) =>
  proxyLocalActivities<Activities>({
    startToCloseTimeout: '5 s',
    retry: { maximumAttempts: 1 },
    summary,
  })

/**
 * Asking a model, which may take a minute per question. A model that is busy or down is asked again without end, at
 * most five minutes apart: the work must be done once it is back, and an operator sees the pending attempt with its
 * cause. A missing heartbeat shows that the worker died. `queueOf`: the workflow's own queue where most of the
 * activity is short work on rows.
 */
export const modelTo = (summary: string, queueOf = remoteQueue) =>
  activitiesOn(queueOf, {
    startToCloseTimeout: '10 minutes',
    heartbeatTimeout: '15 s',
    retry: { initialInterval: '1 s', maximumInterval: '5 minutes' },
    summary,
  })

const claim = rowsTo('Claims the operation for this run')

/** True when this run owns the operation; otherwise the run must end without doing anything. */
export const owns = (operation: string): Promise<boolean> =>
  claim.claimOperation({ operation, firstExecutionRunId: workflowInfo().firstExecutionRunId })

/**
 * Whether what was thrown ends the work because of a cancel. After a cancel, an attempt that fails for another reason, such as a
 * database that is away, is not repeated: that counts too.
 */
export const isCancel = (error: unknown): boolean =>
  isCancellation(error) || CancellationScope.current().consideredCancelled

/** The longest single wait: the row is read again at least this often, even if signals were lost. */
export const longestWaitMs = 7 * 24 * 60 * 60 * 1000

/**
 * Waits until `changed()`, at most `delayMs` (null: no limit), and shows in the Web UI what it waits for. True when
 * something changed.
 */
export async function waitFor(
  details: string,
  delayMs: number | null,
  changed: () => boolean,
): Promise<boolean> {
  setCurrentDetails(details)
  return condition(changed, Math.min(delayMs ?? longestWaitMs, longestWaitMs), { summary: details })
}

/**
 * Attempts that can be cut short: `again` cancels the wait between two of them, and `run` then answers undefined.
 * `over` is called at the end of each run. That is done here because one more `await` around it could change the
 * order of commands in recorded histories.
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
        // A cancel of the whole workflow is passed up.
        if (!isCancellation(error) || CancellationScope.current().consideredCancelled) throw error
        return undefined
      } finally {
        scope = undefined
        over()
      }
    },
  }
}
