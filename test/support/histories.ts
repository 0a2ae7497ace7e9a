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

/** The counts of a workflow with all the runs that it continued from and all the workflows that it started. */
export async function historyOf(client: Client, workflowId: string): Promise<HistoryCounts> {
  const counts = mapped(() => 0)
  const children = new Set<string>()
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
    for (const { childWorkflowExecutionStartedEventAttributes: started } of all)
      if (started?.workflowExecution?.workflowId) children.add(started.workflowExecution.workflowId)
    runId = all[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined
  } while (runId)
  return sumOf([counts, await historiesOf(client, children)])
}

/** The counts of several workflows together. */
export async function historiesOf(client: Client, workflowIds: Iterable<string>) {
  const all: HistoryCounts[] = []
  for (const id of workflowIds) all.push(await historyOf(client, id))
  return sumOf(all)
}

/** What was added between two counts. */
export const since = (before: HistoryCounts, after: HistoryCounts) =>
  mapped((name) => after[name] - before[name])

const sumOf = (all: HistoryCounts[]) =>
  mapped((name) => all.reduce((sum, counts) => sum + counts[name], 0))

const mapped = (of: (name: keyof HistoryCounts) => number): HistoryCounts => ({
  events: of('events'),
  workflowTasks: of('workflowTasks'),
  activities: of('activities'),
  timers: of('timers'),
  signals: of('signals'),
  children: of('children'),
})
