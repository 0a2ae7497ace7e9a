import { CancellationScope } from '@temporalio/workflow'
import { remoteQueue } from './ids.ts'
import type { FindInput } from './inputs.ts'
import { ended, notOurs, type Outcome } from './outcome.ts'
import { activitiesOn, isCancel, owns, rowsTo } from './process.ts'

// A batch takes 8 s and an answer of the finder 10 s; a missing heartbeat shows that the worker died. Retries have no
// limit: the people added so far are kept, and a finder or a database that is down comes back.
const finding = (summary: string) =>
  activitiesOn(remoteQueue, {
    startToCloseTimeout: '1 minute',
    heartbeatTimeout: '8 s',
    retry: { initialInterval: '500 ms', maximumInterval: '30 s' },
    summary,
  })
const search = finding('Asks the finder how many people there are')
const find = finding('Adds one batch of found people')
const edit = rowsTo('Answers the call')

/** Searches for people beyond the contacts and answers the caller. It waits for nothing but the finder. */
export async function searchPeople(input: FindInput): Promise<Outcome> {
  if (!(await owns(input.operation))) return notOurs
  return (await search.searchPeople(input)) ?? ended
}

/**
 * Adds one batch of found people to the contacts and the segment, and answers the caller, who continues the run with
 * another call. It waits for nothing but the finder, so it never continues as new.
 */
export async function findPeople(input: FindInput): Promise<Outcome> {
  if (!(await owns(input.operation))) return notOurs
  try {
    await find.addFoundPeople(input)
  } catch (error) {
    // Cancel in the Web UI: the caller gets an answer that covers the work done so far.
    if (!isCancel(error)) throw error
  }
  return (await CancellationScope.nonCancellable(() => edit.answerFound(input))) ?? ended
}
