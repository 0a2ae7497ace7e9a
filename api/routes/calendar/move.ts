import { z } from 'zod'
import { decideProposal } from '../../../db/calendar/answers.ts'
import {
  insertCheck,
  lockMeeting,
  type MeetingRow,
  moveBooked,
  presentMeeting,
} from '../../../db/calendar/meetings.ts'
import type { MeetingDraft } from '../../../db/calendar/tables.ts'
import { iso } from '../../../rules/iso.ts'
import { ApiError, found, missing } from '../../http/errors.ts'
import { awaited, type ChangeContext, change } from '../../route.ts'
import { Id, IdParams, optional } from '../../shapes/shapes.ts'
import { Meeting, MeetingOrCheck } from './calendar.ts'
import { checkable, describeMinutes, Minutes, refusePast, time, timesOf } from './times.ts'

// Meetings that were booked here move: by a call, or to the time that a guest proposes.

type Times = { startsAt: Date; endsAt: Date }

/** The meeting, locked. @throws ApiError not_found, invalid_state. */
async function movable({ db, workspace }: ChangeContext, id: string): Promise<MeetingRow> {
  const meeting = found(await lockMeeting(db, id, workspace.id), 'meeting')
  if (meeting.own && meeting.state === 'booked') return meeting
  throw new ApiError(
    'invalid_state',
    meeting.own
      ? 'The meeting was cancelled: book a new one.'
      : 'The meeting was made in another program: move it there.',
    { members: { state: meeting.state, allowed: [] } },
  )
}

const draftOf = (meeting: MeetingRow, { startsAt, endsAt }: Times): MeetingDraft => ({
  calendar: meeting.calendar,
  title: meeting.title,
  agenda: meeting.agenda,
  startsAt: iso(startsAt),
  endsAt: iso(endsAt),
  guests: meeting.guests,
  meeting: meeting.id,
})

/** Moves a locked meeting; its workflow writes to the guests and answers the call. */
async function move(
  context: ChangeContext,
  meeting: MeetingRow,
  to: Times,
): Promise<typeof awaited> {
  const { db, workspace, operation } = context
  const { startsAt, endsAt, replies } = meeting
  await moveBooked(db, meeting.id, to)
  const was = { startsAt: iso(startsAt), endsAt: iso(endsAt), replies }
  await insertCheck(db, operation.id, workspace.id, {
    ...draftOf(meeting, to),
    was: { ...was, sequence: meeting.sequence + 1 },
  })
  const after = { startsAt: iso(to.startsAt), endsAt: iso(to.endsAt) }
  context.changed(
    meeting.id,
    { startsAt: was.startsAt, endsAt: was.endsAt },
    after,
    'meeting.moved',
  )
  await context.start('moveMeeting', [{ operation: operation.id, meeting: meeting.id }])
  return awaited
}

const isSame = (meeting: Times, to: Times) =>
  +meeting.startsAt === +to.startsAt && +meeting.endsAt === +to.endsAt

const minuteMs = 60_000

export const routes = [
  change({
    method: 'POST',
    path: '/calendar/meetings/{id}/move',
    operationId: 'moveMeeting',
    summary: 'Put a meeting at another time',
    description:
      'Tells its guests the new time by mail; their answers to the former one count no more. Only meetings booked here can be moved. With `check: true` nothing is moved, the answer shows what would happen, and the scope `inbox:read` is enough.',
    ...checkable,
    action: 'meeting.moved',
    params: IdParams,
    body: z
      .strictObject({
        ...time,
        minutes: optional(Minutes).describe(
          describeMinutes('The new duration in minutes; by default it stays.'),
        ),
        check: optional(z.boolean()).describe(
          'True moves nothing and only shows what would happen.',
        ),
      })
      .meta({ id: 'MeetingMove' }),
    example: { day: '2030-11-27', start: '16:00' },
    response: MeetingOrCheck,
    errors: ['local_time_missing', 'time_in_past', 'invalid_state', 'still_running'],
    async handler({ params, body }, context) {
      const { db, workspace, operation } = context
      const meeting = await movable(context, params.id)
      const lasts = Math.round((+meeting.endsAt - +meeting.startsAt) / minuteMs)
      const to = timesOf({ ...body, minutes: body.minutes ?? lasts }, context)
      if (body.check) {
        await insertCheck(db, operation.id, workspace.id, draftOf(meeting, to))
        await context.start('checkMeeting', [{ operation: operation.id }])
        return awaited
      }
      if (isSame(meeting, to)) return presentMeeting(meeting, workspace.timezone)
      return move(context, meeting, to)
    },
  }),

  change({
    method: 'POST',
    path: '/calendar/meetings/{id}/proposals/{proposal}',
    operationId: 'answerMeetingProposal',
    summary: 'Take or decline another time that a guest proposes',
    description:
      'Accepting moves the meeting to that time and tells all its guests; declining tells the guest who proposed it that the meeting stays when it is.',
    scopes: ['send'],
    action: 'meeting.proposal_declined',
    params: IdParams.extend({ proposal: Id }),
    body: z
      .strictObject({
        accept: z
          .boolean()
          .describe('True moves the meeting to the proposed time, false declines the proposal.'),
      })
      .meta({ id: 'ProposalAnswer' }),
    example: { accept: true },
    response: Meeting,
    errors: ['time_in_past', 'invalid_state', 'still_running'],
    async handler({ params, body: { accept } }, context) {
      const { db, workspace, operation, clock } = context
      const meeting = found(await lockMeeting(db, params.id, workspace.id), 'meeting')
      const proposal = meeting.proposals.find(({ id }) => id === params.proposal)
      if (!proposal) throw missing('proposal')
      const decision = accept ? 'accepted' : 'declined'
      if (proposal.state === decision) return presentMeeting(meeting, workspace.timezone)
      await movable(context, meeting.id)
      if (proposal.state !== 'open')
        throw new ApiError('invalid_state', `The proposal was ${proposal.state} already.`, {
          members: { state: proposal.state, allowed: [] },
        })
      const to = { startsAt: new Date(proposal.startsAt), endsAt: new Date(proposal.endsAt) }
      if (accept) refusePast(to.startsAt, clock.now(), '/accept')
      await decideProposal(db, meeting, proposal.id, decision)
      if (accept && !isSame(meeting, to)) return move(context, meeting, to)
      const decided = { proposal: proposal.id, state: decision } as const
      context.changed(meeting.id, { proposal: proposal.id, state: 'open' }, decided)
      if (accept)
        return presentMeeting(
          found(await lockMeeting(db, meeting.id), 'meeting'),
          workspace.timezone,
        )
      const input = { operation: operation.id, meeting: meeting.id, proposal: proposal.id }
      await context.start('declineProposal', [input])
      return awaited
    },
  }),
]
