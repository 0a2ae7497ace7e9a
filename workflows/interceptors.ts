import { type WorkflowInterceptorsFactory, workflowInfo } from '@temporalio/workflow'
import { showTrouble } from './waiting.ts'

// Every workflow shows what an activity of its own cannot get past, until that activity ends. Those that show more of what they wait
// for take the signal themselves (waiting.ts).

// These begin to take it once their operation is claimed. A signal that came before then was kept for them by 0.4.0, and its place in
// recorded histories is after the claim.
const takeItLater: ReadonlySet<string> = new Set([
  'runCampaign',
  'bookMeeting',
  'cancelMeeting',
  'moveMeeting',
])

export const interceptors: WorkflowInterceptorsFactory = () => {
  let shown: ReturnType<typeof showTrouble> | undefined
  return {
    inbound: [
      {
        execute(input, next) {
          if (!takeItLater.has(workflowInfo().workflowType)) shown = showTrouble()
          return next(input)
        },
      },
    ],
    outbound: [
      {
        // What the workflow gets is the promise as it is: one more `await` around it could change the order of commands in
        // recorded histories.
        scheduleActivity(input, next) {
          const activity = String(input.seq)
          shown?.begins(activity)
          const ended = next(input)
          const over = () => shown?.over(activity)
          ended.then(over, over)
          return ended
        },
      },
    ],
  }
}
