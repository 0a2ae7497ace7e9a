import type { WorkflowInterceptorsFactory } from '@temporalio/workflow'
import { showTrouble } from './waiting.ts'

// Every workflow shows what an activity of its own cannot get past, until that activity ends. Those that show more of what they wait
// for take the signal themselves (waiting.ts).

export const interceptors: WorkflowInterceptorsFactory = () => {
  let shown: ReturnType<typeof showTrouble> | undefined
  return {
    inbound: [
      {
        execute(input, next) {
          shown = showTrouble()
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
