import { CancellationScope } from '@temporalio/workflow'
import { remoteQueue } from './ids.ts'
import type { JudgeInput } from './inputs.ts'
import { ended, notOurs, type Outcome } from './outcome.ts'
import { activitiesOn, isCancel, owns, rowsTo } from './process.ts'

// A batch takes 8 s, or longer with a slow model; a missing heartbeat shows that the worker died. Retries have no
// limit: verdicts are kept, and a database or a model that is down comes back.
const judging = activitiesOn(remoteQueue, {
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '8 s',
  retry: { initialInterval: '500 ms', maximumInterval: '30 s' },
  summary: 'Judges one batch of people',
})
const edit = rowsTo('Answers the call')

/**
 * Judges one batch of people for a segment and answers the caller, who requests the remainder with another call. It
 * waits for nothing, so it never continues as new.
 */
export async function judgeSegment(input: JudgeInput): Promise<Outcome> {
  if (!(await owns(input.operation))) return notOurs
  try {
    await judging.judgePeople(input)
  } catch (error) {
    // Cancel in the Web UI: the caller gets an answer that covers the work done so far.
    if (!isCancel(error)) throw error
  }
  return (await CancellationScope.nonCancellable(() => edit.answerJudged(input))) ?? ended
}
