import { CancellationScope, isCancellation } from '@temporalio/workflow'
import { remoteQueue } from './ids.ts'
import type { CheckMeetingInput, MeetingInput } from './inputs.ts'
import { ended, notOurs, type Outcome } from './outcome.ts'
import { activitiesOn, owns, rowsTo } from './process.ts'
import { showWaiting } from './waiting.ts'

const edit = rowsTo('Answers the call')

/**
 * Short work on the calendar's server. A server that cannot be reached is tried on, at most a minute apart: the event must
 * come or go once it is back, and an operator sees the pending attempt with its cause. Each request has ten seconds; a
 * worker that died is noticed by its missing heartbeat.
 */
const calendarTo = (summary: string) =>
  activitiesOn(remoteQueue, {
    startToCloseTimeout: '1 minute',
    heartbeatTimeout: '8 s',
    retry: { initialInterval: '500 ms', maximumInterval: '1 minute' },
    summary,
  })
const put = calendarTo("Puts the event on the calendar's server")
const remove = calendarTo("Takes the event away from the calendar's server")
const check = calendarTo('Looks for what is in the way')

/**
 * Books a meeting whose row is there: its event on the calendar's server, the invitations, each in a workflow of its own, and
 * the answer. Waits for nothing but the server, so it never continues as new.
 */
export async function bookMeeting(input: MeetingInput): Promise<Outcome> {
  if (!(await owns(input.operation))) return notOurs
  const waiting = showWaiting()
  let outcome: 'done' | 'refused' = 'refused'
  try {
    outcome = await put.putEvent(input)
    waiting.over()
  } catch (error) {
    // Cancel in the Web UI: it is not booked. Should its event be there, the next look at the calendar removes it.
    if (!isCancellation(error)) throw error
  }
  const end = await CancellationScope.nonCancellable(() =>
    outcome === 'done' ? edit.finishBooking(input) : edit.refuseBooking(input),
  )
  return end ?? ended
}

/**
 * Ends what a cancelled meeting has left on its calendar's server, and answers. Its guests have been written to meanwhile: that
 * began with the cancel. Waits for nothing but the server, so it never continues as new.
 */
export async function cancelMeeting(input: MeetingInput): Promise<Outcome> {
  if (!(await owns(input.operation))) return notOurs
  const waiting = showWaiting()
  try {
    await remove.removeEvent(input)
    waiting.over()
  } catch (error) {
    // Cancel in the Web UI: the meeting is cancelled all the same, and the next look at the calendar removes its event.
    if (!isCancellation(error)) throw error
  }
  return (await CancellationScope.nonCancellable(() => edit.finishCancel(input))) ?? ended
}

/** Says what a meeting would be in the way of, and whom it would write to. Waits for nothing, so it never continues as new. */
export async function checkMeeting(input: CheckMeetingInput): Promise<Outcome> {
  if (!(await owns(input.operation))) return notOurs
  return (await check.checkMeeting(input)) ?? ended
}
