import { activityInfo } from '@temporalio/activity'
import type { Client } from '@temporalio/client'

// Who acted on a workflow in Temporal: the user of the Web UI, or whoever ran the CLI.

type Execution = { workflowId: string; runId: string }

/** Who sent an update to a workflow, or cancelled it, as far as Temporal knows; empty if it does not. */
export type FindOperator = (workflow: Execution, update?: string) => Promise<string>

const page = 200

/**
 * Who sent the update with this id, or without an id, who cancelled the workflow; empty if that cannot be found out. Only the
 * newest events are read, because the update or cancellation has just happened.
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
    // If Temporal cannot be asked, the update or cancellation is carried out all the same.
  }
  return ''
}

/** The part of an audit line that names the operator. */
export async function byOperator({ operator }: { operator?: FindOperator }, update?: string) {
  // Without a workflow there is no one to ask Temporal about: the operator's command writes to the row directly.
  if (!operator)
    return { member: null, client: { id: 'operator', name: 'npm run operation' }, key: null }
  const execution = activityInfo().workflowExecution
  const name = (execution && (await operator(execution, update))) || 'unknown'
  return { member: null, client: { id: 'temporal', name }, key: null }
}
