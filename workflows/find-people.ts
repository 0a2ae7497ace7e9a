import { CancellationScope, isCancellation } from '@temporalio/workflow'
import { remoteQueue } from './ids.ts'
import type { FindInput } from './inputs.ts'
import { ended, notOurs, type Outcome } from './outcome.ts'
import { activitiesOn, owns, rowsTo } from './process.ts'

// A batch takes 8 s and an answer of a finder 10; a worker that died is noticed by its missing heartbeat. Retried without
// end, because what is added is kept and a finder or a database that is away comes back.
const finding = (summary: string) =>
  activitiesOn(remoteQueue, {
    startToCloseTimeout: '1 minute',
    heartbeatTimeout: '8 s',
    retry: { initialInterval: '500 ms', maximumInterval: '30 s' },
    summary,
  })
const search = finding('Asks the finder how many there are')
const find = finding('Adds one batch of found people')
const edit = rowsTo('Answers the call')

/** Searches for people beyond the contacts and answers the caller. Waits for nothing but the finder. */
export async function searchPeople(input: FindInput): Promise<Outcome> {
  if (!(await owns(input.operation))) return notOurs
  return (await search.searchPeople(input)) ?? ended
}

/**
 * Adds one batch of found people to contacts and segment, and answers the caller, who goes on with the run by another call.
 * Waits for nothing but the finder, so it never continues as new.
 */
export async function findPeople(input: FindInput): Promise<Outcome> {
  if (!(await owns(input.operation))) return notOurs
  try {
    await find.addFoundPeople(input)
  } catch (error) {
    // Cancel in the Web UI: the caller is answered what was done until then.
    if (!isCancellation(error)) throw error
  }
  return (await CancellationScope.nonCancellable(() => edit.answerFound(input))) ?? ended
}
