import { z } from 'zod'
import { listChannels } from '../../../db/accounts/channels.ts'
import { findBilling } from '../../../db/workspace/workspaces.ts'
import { read } from '../../route.ts'

const Subscription = z.object({
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
    .describe('The paid period.'),
  seats: z.number().describe('The number of members that the plan allows.'),
})

// From the operator's file: what the file leaves out is empty, and a workspace it says nothing about has no
// subscription.
const Written = z.object({
  plan: z.string().catch(''),
  status: z.string().catch(''),
  period: z.object({ from: z.string(), to: z.string() }).catch({ from: '', to: '' }),
  seats: z.number().catch(0),
})

export const routes = [
  read({
    path: '/billing',
    summary: 'Read the subscription',
    description: 'The subscription as the operator has recorded it, and the accounts it covers.',
    scopes: ['inbox:read'],
    response: z.object({
      subscription: Subscription.describe(
        'The subscription of the workspace, as the operator has recorded it.',
      ),
      accounts: z
        .array(
          z.object({
            connection: z.string().describe('The id of the connection.'),
            channel: z.string().describe('The kind of the connection, such as `email`.'),
            account: z.string().describe('The address of the account.'),
          }),
        )
        .describe('The accounts it covers.'),
    }),
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
]
