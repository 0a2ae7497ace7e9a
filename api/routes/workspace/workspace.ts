import { z } from 'zod'
import { listChannels } from '../../../db/accounts/channels.ts'
import { wakeRunners } from '../../../db/campaigns/campaigns.ts'
import { countDays, countTotals } from '../../../db/workspace/dashboard.ts'
import {
  findBilling,
  findHouse,
  findWorkspace,
  lockWorkspace,
  updateWorkspace,
} from '../../../db/workspace/workspaces.ts'
import { dayIn, nextDayIn } from '../../../rules/hours.ts'
import { modes } from '../../../rules/sandbox/mode.ts'
import { found } from '../../http/errors.ts'
import { change, read } from '../../route.ts'
import {
  Application,
  iso,
  modeWords,
  OwnId,
  optional,
  UpdatedAt,
  withValues,
  Zone,
} from '../../shapes/shapes.ts'
import { changesOf } from '../changes.ts'

// The workspace as a whole: whose token it is, its settings, its house rules, its subscription and its numbers.

const Workspace = z
  .object({
    id: OwnId,
    name: z.string().describe('The name of the workspace.'),
    timezone: z
      .string()
      .describe('The IANA name of the time zone by which days and weeks are counted.'),
    tagging: z
      .boolean()
      .describe('Whether correspondence is marked automatically with importance, intent and tags.'),
    mode: z.enum(modes).describe(modeWords),
  })
  .meta({ id: 'Workspace' })

const Subscription = z
  .object({
    plan: z.string().describe('The name of the plan; empty if unknown.'),
    status: z
      .string()
      .describe(
        'The status of the subscription, in the words of the operator; `none` if there is no subscription.',
      ),
    period: z
      .object({
        from: z.string().describe('Its first day; empty if unknown.'),
        to: z.string().describe('Its last day; empty if unknown.'),
      })
      .meta({ id: 'BillingPeriod' })
      .describe('The paid period.'),
    seats: z.number().describe('The number of members that the plan allows.'),
  })
  .meta({ id: 'Subscription' })

// From the operator's file: what the file leaves out is empty, and a workspace it says nothing about has no
// subscription.
const Written = z.object({
  plan: z.string().catch(''),
  status: z.string().catch(''),
  period: z.object({ from: z.string(), to: z.string() }).catch({ from: '', to: '' }),
  seats: z.number().catch(0),
})

// The days of the dashboard.
const usualDays = 14
const mostDays = 365
const dayMs = 86_400_000

const count = z.number()
const Day = z
  .object({
    day: z.string().describe('The day in the time zone of the workspace, as YYYY-MM-DD.'),
    received: count.describe('Messages that were received.'),
    sent: count.describe('Messages that were sent.'),
    automated: count.describe('The part of `sent` that was written automatically.'),
    meetings: count.describe('Meetings that were booked or recorded.'),
  })
  .meta({ id: 'DashboardDay' })

export const routes = [
  read({
    path: '/workspace',
    operationId: 'getWorkspace',
    summary: 'Read the workspace',
    scopes: ['inbox:read'],
    reduced: true,
    response: Workspace,
    handler: async (_, { db, workspace }) =>
      found(await findWorkspace(db, workspace.id), 'workspace'),
  }),
  change({
    method: 'PATCH',
    path: '/workspace',
    operationId: 'updateWorkspace',
    summary: 'Edit the workspace',
    description:
      'Sets the time zone by which days are counted, and whether correspondence is marked automatically.',
    scopes: ['inbox:write'],
    reduced: true,
    action: 'workspace.edited',
    body: z
      .strictObject({
        timezone: optional(Zone).describe(
          'The IANA name of the time zone by which days and weeks are counted.',
        ),
        tagging: optional(z.boolean()).describe('Whether correspondence is marked automatically.'),
      })
      .meta({ id: 'WorkspaceUpdate' }),
    response: Workspace,
    handler: async ({ body }, { db, workspace, changed }) => {
      const now = found(await lockWorkspace(db, workspace.id), 'workspace')
      const edit = changesOf(now, body)
      if (!edit) return now
      await updateWorkspace(db, now.id, edit.after)
      changed(now.id, edit.before, edit.after)
      // The days, weeks and weekdays of every campaign are counted again.
      if (edit.after.timezone) await wakeRunners(db, { workspace: now.id }, 'settings')
      return { ...now, ...edit.after }
    },
  }),

  read({
    path: '',
    operationId: 'getIdentity',
    summary: 'Read the identity of the token',
    description:
      'Answers the workspace, the member and the application of the token, and its scopes.',
    scopes: [],
    reduced: true,
    response: z
      .object({
        workspace: z.string().describe('The id of the workspace.'),
        member: z.string().describe('The id of the member the token belongs to.'),
        client: Application.describe('The application that holds the token.'),
        scopes: z.array(z.string()).describe(
          withValues('What the token may do.', {
            'inbox:read': 'read everything',
            'inbox:write': 'change everything but segments and campaigns',
            'campaigns:write': 'change segments and campaigns',
            send: 'send something to clients',
          }),
        ),
      })
      .meta({ id: 'Identity' }),
    handler: async (_, { workspace, member, client, scopes }) => ({
      workspace: workspace.id,
      member: member.id,
      client,
      scopes,
    }),
  }),

  read({
    path: '/house',
    operationId: 'getHouseRules',
    summary: 'Read the house rules',
    description: 'The rules for all agents of the workspace.',
    scopes: ['inbox:read'],
    reduced: true,
    response: z
      .object({
        rules: z.string().describe('The rules for all agents.'),
        updatedAt: UpdatedAt,
      })
      .meta({ id: 'House' }),
    handler: async (_, { db, workspace }) => {
      const house = found(await findHouse(db, workspace.id), 'workspace')
      return { rules: house.houseRules, updatedAt: iso(house.houseUpdatedAt) }
    },
  }),

  read({
    path: '/billing',
    operationId: 'getBilling',
    summary: 'Read the subscription',
    description: 'The subscription as the operator has recorded it, and the accounts it covers.',
    scopes: ['inbox:read'],
    response: z
      .object({
        subscription: Subscription.describe(
          'The subscription of the workspace, as the operator has recorded it.',
        ),
        accounts: z
          .array(
            z
              .object({
                connection: z.string().describe('The id of the connection.'),
                channel: z.string().describe('The kind of the connection, such as `email`.'),
                account: z.string().describe('The address of the account.'),
              })
              .meta({ id: 'BilledAccount' }),
          )
          .describe('The accounts it covers.'),
      })
      .meta({ id: 'Billing' }),
    handler: async (_, { db, workspace, clock }) => {
      const written = await findBilling(db, workspace.id)
      const channels = await listChannels(db, workspace.id, clock.now())
      return {
        subscription: Written.parse(written ?? { status: 'none' }),
        accounts: channels.map(({ id, kind, account }) => ({
          connection: id,
          channel: kind,
          account,
        })),
      }
    },
  }),

  read({
    path: '/dashboard',
    operationId: 'getDashboard',
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
    response: z
      .object({
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
          .meta({ id: 'DashboardTotals' })
          .describe('The current totals.'),
      })
      .meta({ id: 'Dashboard' }),
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
