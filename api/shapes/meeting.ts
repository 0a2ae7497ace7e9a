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
    title: z.string().describe('What the meeting is called.'),
    calendar: z.string().describe('The id of the calendar it stands in.'),
    day: z.string().describe('Its day in the time zone of the workspace, as YYYY-MM-DD.'),
    start: z
      .string()
      .describe('The time of day at which it starts, in the time zone of the workspace, as HH:MM.'),
    minutes: z.number().describe('How many minutes it takes.'),
    startsAt: z.string().describe('The instant at which it starts.'),
    endsAt: z.string().describe('The instant at which it ends.'),
    guests: z.array(z.string()).describe('The addresses of the guests.'),
    replies: z
      .array(
        z.object({
          address: z.string().describe('The address of the guest.'),
          answer: z.string().describe('The answer, such as `accepted`, `declined` or `tentative`.'),
        }),
      )
      .describe('What guests have answered to the invitation.'),
    agenda: z.string().describe('What it is about: the description in invitations.'),
    state: z.string().describe(
      withValues('Where it stands.', {
        booked: 'it takes place',
        cancelled: 'it was cancelled, and its guests are told',
      }),
    ),
    own: z
      .boolean()
      .describe('Whether it was booked here; meetings made elsewhere are cancelled there.'),
  })
  .meta({ id: 'Meeting' })

export const Check = z.object({
  check: z.literal(true).describe('Always true: nothing was booked.'),
  meeting: Meeting.describe('The meeting as it would be booked.'),
  conflicts: z.array(Meeting).describe('Meetings that overlap with it in the same calendar.'),
  writesTo: z.array(z.string()).describe('The addresses that would get an invitation.'),
})
