import { z } from 'zod'
import { countDays, countTotals } from '../../db/dashboard.ts'
import { dayIn, nextDayIn } from '../../workflows/pace.ts'
import { read } from '../route.ts'

const usualDays = 14
const mostDays = 365
const dayMs = 86_400_000

const count = z.number()
const Day = z.object({
  day: z.string(),
  received: count,
  sent: count,
  automated: count,
  meetings: count,
})

export const routes = [
  read({
    path: '/dashboard',
    summary: "Numbers of the last days, by the workspace's calendar, and how much there is now",
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
        .meta({ type: 'integer', minimum: 1, maximum: mostDays }),
    }),
    response: z.object({
      days: count,
      chart: z.array(Day),
      totals: z.object({
        conversations: count,
        open: count,
        snoozed: count,
        waiting: count,
        people: count,
        campaigns: count,
        deals: count,
      }),
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
