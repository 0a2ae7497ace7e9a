import { z } from 'zod'
import { countDays, countTotals } from '../../../db/workspace/dashboard.ts'
import { dayIn, nextDayIn } from '../../../rules/hours.ts'
import { read } from '../../route.ts'

const usualDays = 14
const mostDays = 365
const dayMs = 86_400_000

const count = z.number()
const Day = z.object({
  day: z.string().describe('The day in the time zone of the workspace, as YYYY-MM-DD.'),
  received: count.describe('Messages that came in.'),
  sent: count.describe('Messages that went out.'),
  automated: count.describe('Of `sent`, how many a machine wrote.'),
  meetings: count.describe('Meetings that were booked or recorded.'),
})

export const routes = [
  read({
    path: '/dashboard',
    summary: 'Read the dashboard',
    description: 'Numbers of the last days, and how much there is now.',
    scopes: ['inbox:read'],
    query: z.strictObject({
      days: z
        .string()
        .regex(/^\d{1,4}$/, { message: `must be a whole number from 1 to ${mostDays}` })
        .transform(Number)
        .refine((days) => days >= 1 && days <= mostDays, {
          message: `must be a whole number from 1 to ${mostDays}`,
        })
        .default(usualDays)
        .meta({ type: 'integer', minimum: 1, maximum: mostDays })
        .describe('How many days the chart has, today included.'),
    }),
    response: z.object({
      days: count.describe('How many days the chart has.'),
      chart: z.array(Day).describe('The days, oldest first, today included.'),
      totals: z
        .object({
          conversations: count.describe('Conversations in any state.'),
          open: count.describe('Open conversations.'),
          snoozed: count.describe('Snoozed conversations.'),
          waiting: count.describe('Open conversations that wait for a message from us.'),
          people: count.describe('People.'),
          campaigns: count.describe('Running campaigns.'),
          deals: count.describe('Open deals.'),
        })
        .describe('How much there is now.'),
    }),
    handler: async ({ query: { days } }, { db, workspace, clock }) => {
      const { starts, until } = daysTo(workspace.timezone, clock.now(), days)
      const counts = await countDays(db, workspace.id, starts, until)
      const chart = counts.map((counted, i) => ({
        day: dayIn(workspace.timezone, starts[i] as Date),
        ...counted,
      }))
      return { days, chart, totals: await countTotals(db, workspace.id) }
    },
  }),
]

/** The first instants of the last `days` days of a zone, today's included, and the end of today. */
function daysTo(zone: string, now: Date, days: number) {
  const starts: Date[] = []
  let start = nextDayIn(zone, new Date(now.getTime() - (days + 2) * dayMs))
  for (; start <= now; start = nextDayIn(zone, start)) starts.push(start)
  return { starts: starts.slice(-days), until: start }
}
