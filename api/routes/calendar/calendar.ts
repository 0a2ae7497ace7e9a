import { z } from 'zod'
import { findSuppression } from '../../../db/accounts/suppressions.ts'
import {
  findCalendar,
  findExternalCalendar,
  listCalendars,
  ownCalendarId,
} from '../../../db/calendar/calendars.ts'
import { findOrganizer, takeBack, uninviteGuests } from '../../../db/calendar/invitations.ts'
import {
  findMeeting,
  insertCheck,
  insertMeeting,
  listMeetings,
  lockMeeting,
  markCancelled,
  presentMeeting,
} from '../../../db/calendar/meetings.ts'
import type { MeetingDraft } from '../../../db/calendar/tables.ts'
import { readAddress } from '../../../rules/addresses.ts'
import { dayStart } from '../../../rules/local-time.ts'
import { ApiError, found, invalid, type Problem } from '../../http/errors.ts'
import { awaited, type ChangeContext, change, read } from '../../route.ts'
import {
  Day,
  Id,
  IdParams,
  NoNext,
  OwnId,
  optional,
  QueryTimestamp,
  readCursor,
  text,
  WholeList,
  withValues,
} from '../../shapes/shapes.ts'
import { checkable, describeMinutes, Minutes, time, timesOf } from './times.ts'

// Calendars and their meetings: listed, booked and cancelled; move.ts puts a meeting at another time. One file, because all of them
// answer the same meeting.

const Calendar = z
  .object({
    id: OwnId,
    name: z.string().describe('The name of the calendar.'),
    member: z.string().describe('The id of the member whose calendar it is.'),
  })
  .meta({ id: 'Calendar' })

export const Meeting = z
  .object({
    id: OwnId,
    title: z.string().describe('The title of the meeting.'),
    calendar: z.string().describe('The id of its calendar.'),
    day: z.string().describe('Its day in the time zone of the workspace, as YYYY-MM-DD.'),
    start: z
      .string()
      .describe('The time of day at which it starts, in the time zone of the workspace, as HH:MM.'),
    minutes: z.number().describe('The duration in minutes.'),
    startsAt: z.string().describe('When it starts.'),
    endsAt: z.string().describe('When it ends.'),
    guests: z.array(z.string()).describe('The addresses of the guests.'),
    replies: z
      .array(
        z
          .object({
            address: z.string().describe('The address of the guest.'),
            answer: z
              .string()
              .describe('The answer, such as `accepted`, `declined` or `tentative`.'),
            unverified: z
              .literal(true)
              .optional()
              .describe(
                'True if the answer came from another address than the invited one; absent otherwise.',
              ),
          })
          .meta({ id: 'MeetingReply' }),
      )
      .describe("The guests' answers to the invitation."),
    proposals: z
      .array(
        z
          .object({
            id: OwnId,
            by: z.string().describe('The address of the guest.'),
            startsAt: z.string().describe('When the meeting would start.'),
            endsAt: z.string().describe('When it would end.'),
            comment: z.string().nullable().describe("The guest's words; null if there are none."),
            at: z.string().describe('When it was proposed.'),
          })
          .meta({ id: 'MeetingProposal' }),
      )
      .describe('Other times that guests propose, until they are accepted or declined.'),
    agenda: z.string().describe('The agenda; the description in invitations.'),
    state: z.enum(['booked', 'cancelled']).describe(
      withValues('The state of the meeting.', {
        booked: 'it takes place',
        cancelled: 'it was cancelled, and its guests are told so',
      }),
    ),
    own: z
      .boolean()
      .describe(
        'Whether it was booked here; meetings made in another program are cancelled there.',
      ),
  })
  .meta({ id: 'Meeting' })

export const Check = z
  .object({
    check: z.literal(true).describe('Always true: nothing was booked.'),
    meeting: Meeting.describe('The meeting as it would be booked.'),
    conflicts: z.array(Meeting).describe('Meetings that overlap with it in the same calendar.'),
    writesTo: z.array(z.string()).describe('The addresses that would receive an invitation.'),
  })
  .meta({ id: 'MeetingCheck' })

/** What booking and moving answer: the meeting, or what was checked. */
export const MeetingOrCheck = z.union([Check, Meeting]).meta({ id: 'MeetingOrCheck' })

const When = z.union([QueryTimestamp, Day], {
  error: 'must be a timestamp with an offset, or a day as YYYY-MM-DD',
})

const Guest = z
  .string()
  .max(320)
  .refine((address) => readAddress('email', address), { message: 'must be an e-mail address' })

const Booking = z
  .strictObject({
    title: text(300).describe('The title of the meeting.'),
    ...time,
    minutes: Minutes.describe(describeMinutes('The duration in minutes.')),
    guests: optional(z.array(Guest).max(20)).describe(
      'The e-mail addresses of the guests, at most 20; each guest gets an invitation.',
    ),
    agenda: optional(z.string().max(20_000)).describe(
      'The agenda; the description in invitations.',
    ),
    calendar: optional(Id).describe('The id of the calendar; by default your own.'),
    check: optional(z.boolean()).describe('True books nothing and only shows what would happen.'),
  })
  .meta({ id: 'NewMeeting' })
const dayMs = 24 * 60 * 60 * 1000
const windowMs = 14 * dayMs

/**
 * The interface leaves open what "own", the default calendar, means: the calendar of the token's member that needs no
 * other server. The word itself is accepted too.
 */
async function calendarOf({ db, workspace, member }: ChangeContext, given = 'own') {
  const id = given === 'own' ? ownCalendarId(member.id) : given
  const calendar = await findCalendar(db, workspace.id, id)
  if (!calendar) throw invalid('/calendar', 'unknown_id', 'is not a calendar of this workspace')
  return calendar
}

async function guestsOf({ db, workspace }: ChangeContext, given: string[] = []) {
  const addresses = given.map((address) => readAddress('email', address)?.value ?? address)
  const errors: Problem[] = []
  for (const [i, address] of addresses.entries())
    if (await findSuppression(db, workspace.id, address))
      errors.push({
        pointer: `/guests/${i}`,
        code: 'recipient_suppressed',
        message: 'is suppressed',
      })
  if (errors.length > 0)
    throw new ApiError('recipient_suppressed', 'A guest must not be written to.', { errors })
  return [...new Set(addresses)]
}

export const routes = [
  read({
    path: '/calendar',
    operationId: 'getCalendar',
    summary: 'List calendars and meetings',
    description: 'Answers all calendars, and the meetings of a period.',
    scopes: ['inbox:read'],
    query: WholeList.extend({
      from: When.optional().describe(
        'Only meetings that end after this time, or after the beginning of this day; by default now.',
      ),
      to: When.optional().describe(
        'Only meetings that start before this time or day; by default 14 days after `from`.',
      ),
    }),
    response: z
      .object({
        calendars: z.array(Calendar).describe('The calendars of the workspace.'),
        meetings: z
          .array(Meeting)
          .describe('The meetings of the period, without those that were cancelled.'),
        next: NoNext,
      })
      .meta({ id: 'CalendarView' }),
    async handler({ query }, { db, workspace, clock }) {
      readCursor(query.cursor)
      const zone = workspace.timezone
      // The interface leaves a day as a limit open: it means the day's first instant in the workspace's zone. A
      // period that starts later than now is as long as the default one.
      const instant = (when: string) => (when.includes('T') ? new Date(when) : dayStart(zone, when))
      const from = query.from === undefined ? clock.now() : instant(query.from)
      const to = query.to === undefined ? new Date(from.getTime() + windowMs) : instant(query.to)
      const rows = await listMeetings(db, workspace.id, from, to)
      return {
        calendars: await listCalendars(db, workspace.id),
        meetings: rows.map((row) => presentMeeting(row, zone)),
        next: null,
      }
    },
  }),

  read({
    path: '/calendar/meetings/{id}',
    operationId: 'getMeeting',
    summary: 'Read a meeting',
    description: 'Also one that was cancelled.',
    scopes: ['inbox:read'],
    params: IdParams,
    response: Meeting,
    handler: async ({ params }, { db, workspace }) =>
      presentMeeting(
        found(await findMeeting(db, params.id, workspace.id), 'meeting'),
        workspace.timezone,
      ),
  }),

  change({
    method: 'POST',
    path: '/calendar/meetings',
    operationId: 'bookMeeting',
    summary: 'Book a meeting',
    description:
      'Invites the guests by mail. With `check: true` nothing is booked, the answer shows what would happen, and the scope `inbox:read` is enough.',
    ...checkable,
    action: 'meeting.booked',
    body: Booking,
    example: {
      title: 'Demo of the Fridge Sensor',
      day: '2030-11-26',
      start: '10:00',
      minutes: 30,
      guests: ['ines@caldeira.example'],
    },
    response: MeetingOrCheck,
    errors: [
      'local_time_missing',
      'time_in_past',
      'recipient_suppressed',
      'invalid_state',
      'still_running',
    ],
    async handler({ body }, context) {
      const { db, workspace, operation, clock } = context
      const calendar = await calendarOf(context, body.calendar)
      const { startsAt, endsAt } = timesOf(body, context)
      const draft: MeetingDraft = {
        calendar: calendar.id,
        title: body.title,
        agenda: body.agenda ?? '',
        startsAt: startsAt.toISOString(),
        endsAt: endsAt.toISOString(),
        guests: await guestsOf(context, body.guests),
      }
      if (body.check) {
        await insertCheck(db, operation.id, workspace.id, draft)
        await context.start('checkMeeting', [{ operation: operation.id }])
        return awaited
      }
      const meeting = await insertMeeting(db, {
        ...draft,
        workspace: workspace.id,
        zone: workspace.timezone,
        connection: (await findOrganizer(db, workspace.id, calendar.member))?.id ?? null,
        external: (await findExternalCalendar(db, calendar.id)) !== undefined,
        now: clock.now(),
      })
      context.changed(meeting, null, {
        calendar: calendar.id,
        startsAt: draft.startsAt,
        minutes: body.minutes,
        guests: draft.guests.length,
      })
      await context.start('bookMeeting', [{ operation: operation.id, meeting }])
      return awaited
    },
  }),

  change({
    method: 'DELETE',
    path: '/calendar/meetings/{id}',
    operationId: 'cancelMeeting',
    summary: 'Cancel a meeting',
    description:
      'Only meetings booked here can be cancelled; their guests are told so. Cancelling a meeting again changes nothing.',
    scopes: ['send'],
    action: 'meeting.cancelled',
    params: IdParams,
    response: Meeting,
    errors: ['invalid_state', 'still_running'],
    async handler({ params }, context) {
      const { db, workspace, operation, clock } = context
      const meeting = found(await lockMeeting(db, params.id, workspace.id), 'meeting')
      if (!meeting.own)
        throw new ApiError(
          'invalid_state',
          'The meeting was made in another program: cancel it there.',
          {
            members: { state: meeting.state, allowed: [] },
          },
        )
      if (meeting.state === 'cancelled') return presentMeeting(meeting, workspace.timezone)

      const now = clock.now()
      await markCancelled(db, meeting.id)
      const sequence = meeting.sequence + 1
      const { connection } = meeting
      const mail = { workspace: workspace.id, meeting: meeting.id, connection, sequence, now }
      // Nobody gets a letter about a meeting that is already over.
      await (meeting.endsAt > now ? uninviteGuests(db, mail) : takeBack(db, meeting.id))
      context.changed(meeting.id, { state: 'booked' }, { state: 'cancelled' })
      await context.start('cancelMeeting', [{ operation: operation.id, meeting: meeting.id }])
      return awaited
    },
  }),
]
