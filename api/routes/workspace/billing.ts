import { z } from 'zod'
import { listChannels } from '../../../db/accounts/channels.ts'
import { findBilling } from '../../../db/workspace/billing.ts'
import { read } from '../../route.ts'

const Subscription = z.object({
  plan: z.string().describe('The name of the plan; empty where nothing is known of one.'),
  status: z
    .string()
    .describe(
      'Where the subscription stands, in the words of the operator; `none` where there is none.',
    ),
  period: z
    .object({
      from: z.string().describe('Its first day; empty where it is not known.'),
      to: z.string().describe('Its last day; empty where it is not known.'),
    })
    .describe('The period that is paid for.'),
  seats: z.number().describe('How many members the plan has room for.'),
})

// What the operator's file says; what it leaves out is empty, and a workspace without a word about it has no subscription.
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
    description: 'What the operator has written down of it, and the accounts it covers.',
    scopes: ['inbox:read'],
    response: z.object({
      subscription: Subscription.describe(
        'The subscription of the workspace, as the operator has written it down.',
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
    handler: async (_, { db, workspace }) => {
      const written = await findBilling(db, workspace.id)
      const channels = await listChannels(db, workspace.id)
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
