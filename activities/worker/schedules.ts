import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client'
import type { Duration } from '@temporalio/common'
import type { WorkflowArgs, WorkflowName } from '../../db/operations/outbox.ts'
import { summaryOf } from '../../workflows/catalogue.ts'
import { scheduleId } from '../../workflows/ids.ts'

type Schedule = {
  [K in WorkflowName]: { name: string; type: K; every: Duration; args: WorkflowArgs<K> }
}[WorkflowName]

const everywhere = { operation: null, workspace: null, connection: null }

// If a run is still going when the next one is due, the next one is skipped: each run looks at everything that is due.
const schedules: Schedule[] = [
  { name: 'sweep', type: 'sweep', every: '2 minutes', args: [] },
  { name: 'health', type: 'checkSenders', every: '1 hour', args: [everywhere] },
  { name: 'refill', type: 'refillSegments', every: '1 hour', args: [] },
  { name: 'calendars', type: 'syncCalendars', every: '5 minutes', args: [] },
  { name: 'clean-up', type: 'cleanUp', every: '1 day', args: [] },
]

/** Creates the schedules or updates those that exist. Two workers may do this at the same time. */
export async function ensureSchedules(client: Client, taskQueue: string) {
  for (const { name, type, every, args } of schedules) {
    const id = scheduleId(name, taskQueue)
    const scheduled = {
      spec: { intervals: [{ every }] },
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
