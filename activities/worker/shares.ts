import type { Info } from '@temporalio/activity'
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker'
import { workspaceOf } from '../../db/operations/outbox.ts'
import { bounded } from '../common/bounded.ts'
import { fairnessKeyOf } from './carry-out.ts'

// What the activities of one workspace may take of the slots of a task queue in this process, whatever they do: sending letters,
// sittings of campaigns, imports, archives, models, calendars. Whoever finds no place gives the slot back and comes back later, so
// that the slots which one workspace cannot have are there for the others at any time.

/** The part of the slots of a queue that one workspace may have. */
const part = 1 / 4

type Share = (info: Info) => ActivityInboundCallsInterceptor

/** @param queue its name in the metric. @param slots how many activities of it run at once in this process. */
export function shareOf(queue: string, slots: number): Share {
  const most = Math.max(1, Math.floor(slots * part))
  const ofWorkspace = bounded({
    name: `${queue}_of_workspace`,
    ofKey: most,
    waiting: 0,
    // While steps take milliseconds, to wait for one costs less than to be sent away.
    waitingBriefly: most,
  })
  return (info) => ({
    execute(input, next) {
      const workspace = ownerOf(info)
      return workspace === undefined ? next(input) : ofWorkspace(workspace, () => next(input))
    },
  })
}

/**
 * Whose work it is: what the start of its workflow has said, or the id of an operation, `<workspace>:<key>`; undefined for work of
 * the whole deployment. A local activity is part of its workflow's task, which has no such slot.
 */
function ownerOf({ isLocal, priority, workflowExecution }: Info): string | undefined {
  if (isLocal) return undefined
  const workspace = workspaceOf(workflowExecution?.workflowId ?? '')
  return priority?.fairnessKey || (workspace && fairnessKeyOf(workspace)) || undefined
}
