import { CancellationScope } from '@temporalio/workflow'
import { remoteQueue } from './ids.ts'
import type { CheckMeetingInput, FilingInput, MeetingInput, ProposalInput } from './inputs.ts'
import { ended, notOurs, type Outcome } from './outcome.ts'
import { activitiesOn, isCancel, owns, rowsTo } from './process.ts'
import { showWaiting } from './waiting.ts'

const edit = rowsTo('Answers the call')

/**
 * Short work on the calendar's server. A server that cannot be reached is retried without end, at most a minute
 * apart: the event must be written or removed once the server is back, and an operator sees the pending attempt with
 * its cause. Each request has ten seconds; a missing heartbeat shows that the worker died.
 */
const calendarTo = (summary: string) =>
  activitiesOn(remoteQueue, {
    startToCloseTimeout: '1 minute',
    heartbeatTimeout: '8 s',
    retry: { initialInterval: '500 ms', maximumInterval: '1 minute' },
    summary,
  })
const put = calendarTo("Puts the event on the calendar's server")
const remove = calendarTo("Removes the event from the calendar's server")
const check = calendarTo('Looks for conflicts')

/** Writes the event. Cancelled in the Web UI, it counts as refused. */
async function putting(input: MeetingInput): Promise<'done' | 'refused'> {
  const waiting = showWaiting()
  try {
    const outcome = await put.putEvent(input)
    waiting.over()
    return outcome
  } catch (error) {
    if (!isCancel(error)) throw error
    return 'refused'
  }
}

/**
 * Books a meeting whose row exists: writes its event to the calendar's server, starts a workflow for each invitation,
 * and answers. It waits for nothing but the server, so it never continues as new.
 */
export async function bookMeeting(input: MeetingInput): Promise<Outcome> {
  if (!(await owns(input.operation))) return notOurs
  // One that was cancelled is not booked. If its event has been written, the next sync of the calendar removes it.
  const outcome = await putting(input)
  const end = await CancellationScope.nonCancellable(() =>
    outcome === 'done' ? edit.finishBooking(input) : edit.refuseBooking(input),
  )
  return end ?? ended
}

/**
 * Removes the event of a cancelled meeting from its calendar's server, and answers. Its guests are notified meanwhile:
 * that began with the cancellation. It waits for nothing but the server, so it never continues as new.
 */
export async function cancelMeeting(input: MeetingInput): Promise<Outcome> {
  if (!(await owns(input.operation))) return notOurs
  const waiting = showWaiting()
  try {
    await remove.removeEvent(input)
    waiting.over()
  } catch (error) {
    // Cancel in the Web UI: the meeting stays cancelled, and the next sync of the calendar removes its event.
    if (!isCancel(error)) throw error
  }
  return (await CancellationScope.nonCancellable(() => edit.finishCancel(input))) ?? ended
}

/**
 * Moves a meeting whose row has its new time: writes its event to the calendar's server, starts a workflow for each mail to a
 * guest, and answers. It waits for nothing but the server, so it never continues as new.
 */
export async function moveMeeting(input: MeetingInput): Promise<Outcome> {
  if (!(await owns(input.operation))) return notOurs
  // One that was cancelled stays at its former time, and so, after the next sync, does what the server shows.
  const outcome = await putting(input)
  const end = await CancellationScope.nonCancellable(() =>
    outcome === 'done' ? edit.finishMove(input) : edit.refuseMove(input),
  )
  return end ?? ended
}

/** Starts the workflow of the mail that declines a proposal, and answers. It waits for nothing, so it never continues as new. */
export async function declineProposal(input: ProposalInput): Promise<Outcome> {
  if (!(await owns(input.operation))) return notOurs
  return (await edit.declineProposal(input)) ?? ended
}

/**
 * Makes a member's calendar hold a meeting that a client invited to, or not hold it, as the member has answered. It waits for
 * nothing but the server, so it never continues as new.
 */
export async function fileInvitation(input: FilingInput): Promise<Outcome> {
  await put.fileInvitation(input)
  return { state: 'done' }
}

/**
 * Reports what a meeting would conflict with and who would be written to. It waits for nothing, so it never continues
 * as new.
 */
export async function checkMeeting(input: CheckMeetingInput): Promise<Outcome> {
  if (!(await owns(input.operation))) return notOurs
  return (await check.checkMeeting(input)) ?? ended
}
