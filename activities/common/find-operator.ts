import { activityInfo } from '@temporalio/activity'
import type { Client } from '@temporalio/client'

// Who said something to a workflow in Temporal: the Web UI's user, or whoever ran the CLI.

type Execution = { workflowId: string; runId: string }

/** Who, as Temporal knows, sent an update to a workflow, or cancelled it; empty where that is not known. */
export type FindOperator = (workflow: Execution, update?: string) => Promise<string>

const page = 200

/**
 * Whom Temporal knows to have sent an update, by its id, or without one to have cancelled the workflow; empty where it cannot be
 * found out. The newest events are looked at: what was said led to this a moment ago.
 */
export async function operatorOf(client: Client, execution: Execution, update?: string) {
  try {
    const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse({
      namespace: client.options.namespace,
      execution,
      maximumPageSize: page,
    })
    for (const event of history?.events ?? []) {
      const accepted = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.meta
      if (update !== undefined && accepted?.updateId === update) return accepted.identity ?? ''
      const cancelled = event.workflowExecutionCancelRequestedEventAttributes
      if (update === undefined && cancelled) return cancelled.identity ?? ''
    }
  } catch {
    // Whatever was said is carried out all the same.
  }
  return ''
}

/** The part of an audit line that says who it was. */
export async function byOperator({ operator }: { operator?: FindOperator }, update?: string) {
  // Nobody is asked where no workflow was told: the command of the operator writes into the row itself.
  if (!operator)
    return { member: null, client: { id: 'operator', name: 'npm run operation' }, key: null }
  const execution = activityInfo().workflowExecution
  const name = (execution && (await operator(execution, update))) || 'unknown'
  return { member: null, client: { id: 'temporal', name }, key: null }
}
