import type { Client } from '@temporalio/client'

// Counts what workflows cost, from their histories.

export type HistoryCounts = {
  events: number
  workflowTasks: number
  activities: number
  timers: number
  signals: number
  /** Workflows that this one started. */
  children: number
}

const none: HistoryCounts = {
  ...{ events: 0, workflowTasks: 0, activities: 0, timers: 0, signals: 0, children: 0 },
}

/** The counts of a workflow with all the runs that it continued from. */
export async function historyOf(client: Client, workflowId: string): Promise<HistoryCounts> {
  const counts = { ...none }
  let runId: string | undefined
  do {
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory()
    const all = events ?? []
    const numberOf = (kind: keyof (typeof all)[number]) => all.filter((one) => one[kind]).length
    counts.events += all.length
    counts.workflowTasks += numberOf('workflowTaskCompletedEventAttributes')
    counts.activities += numberOf('activityTaskScheduledEventAttributes')
    counts.timers += numberOf('timerStartedEventAttributes')
    counts.signals += numberOf('workflowExecutionSignaledEventAttributes')
    counts.children += numberOf('childWorkflowExecutionStartedEventAttributes')
    runId = all[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined
  } while (runId)
  return counts
}

/** The counts of several workflows together. */
export async function historiesOf(client: Client, workflowIds: Iterable<string>) {
  const sum = { ...none }
  for (const id of workflowIds) {
    const counts = await historyOf(client, id)
    for (const name of Object.keys(sum) as (keyof HistoryCounts)[]) sum[name] += counts[name]
  }
  return sum
}

/** The ids of all workflows of a workspace, each once, as soon as the server's index has them. */
export async function workflowsOf(client: Client, workspace: string): Promise<Set<string>> {
  const ids = new Set<string>()
  for await (const { workflowId } of client.workflow.list({ query: `Workspace = '${workspace}'` }))
    ids.add(workflowId)
  return ids
}
