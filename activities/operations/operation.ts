import { activityInfo } from '@temporalio/activity'
import * as operations from '../../db/operations/operations.ts'
import type { Deps } from '../deps.ts'

/** The workflow's side of its operation's row. */
export const operationActivities = ({ db, clock }: Deps) => ({
  /**
   * True when this run owns the operation. The first activity of every workflow; a run that does not own it ends.
   * Safe to retry: a compare-and-set on firstExecutionRunId.
   */
  async claimOperation(input: {
    operation: string
    firstExecutionRunId: string
  }): Promise<boolean> {
    const runId = activityInfo().workflowExecution?.runId ?? input.firstExecutionRunId
    const run = { firstExecutionRunId: input.firstExecutionRunId, runId }
    return operations.claimOperation(db, input.operation, run, clock.now())
  },
})
