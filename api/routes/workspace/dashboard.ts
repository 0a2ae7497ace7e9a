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
  received: count.describe('Messages that were received.'),
  sent: count.describe('Messages that were sent.'),
  automated: count.describe('The part of `sent` that was written automatically.'),
  meetings: count.describe('Meetings that were booked or recorded.'),
})

export const routes = [
  read({
    path: '/dashboard',
    summary: 'Read the dashboard',
    description: 'The numbers of recent days, and the current totals.',
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
        .describe('The number of days in the chart, including today.'),
    }),
    response: z.object({
      days: count.describe('The number of days in the chart.'),
      chart: z.array(Day).describe('The days, oldest first, including today.'),
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
        .describe('The current totals.'),
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

/** The first instants of the last `days` days in a zone, including today, and the end of today. */
function daysTo(zone: string, now: Date, days: number) {
  const starts: Date[] = []
  let start = nextDayIn(zone, new Date(now.getTime() - (days + 2) * dayMs))
  for (; start <= now; start = nextDayIn(zone, start)) starts.push(start)
  return { starts: starts.slice(-days), until: start }
}
