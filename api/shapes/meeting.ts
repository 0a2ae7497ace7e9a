import { z } from 'zod'
import { OwnId, withValues } from './shapes.ts'

export const Calendar = z.object({
  id: OwnId,
  name: z.string().describe('The name of the calendar.'),
  member: z.string().describe('The id of the member whose calendar it is.'),
})

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
        z.object({
          address: z.string().describe('The address of the guest.'),
          answer: z.string().describe('The answer, such as `accepted`, `declined` or `tentative`.'),
          unverified: z
            .literal(true)
            .optional()
            .describe(
              'True if the answer came from another address than the invited one; absent otherwise.',
            ),
        }),
      )
      .describe("The guests' answers to the invitation."),
    proposals: z
      .array(
        z.object({
          id: OwnId,
          by: z.string().describe('The address of the guest.'),
          startsAt: z.string().describe('When the meeting would start.'),
          endsAt: z.string().describe('When it would end.'),
          comment: z.string().nullable().describe("The guest's words; null if there are none."),
          at: z.string().describe('When it was proposed.'),
        }),
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

export const Check = z.object({
  check: z.literal(true).describe('Always true: nothing was booked.'),
  meeting: Meeting.describe('The meeting as it would be booked.'),
  conflicts: z.array(Meeting).describe('Meetings that overlap with it in the same calendar.'),
  writesTo: z.array(z.string()).describe('The addresses that would receive an invitation.'),
})
