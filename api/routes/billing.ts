import { z } from 'zod'
import { findBilling } from '../../db/billing.ts'
import { listChannels } from '../../db/channels.ts'
import { read } from '../route.ts'

const Subscription = z.object({
  plan: z.string(),
  status: z.string(),
  period: z.object({ from: z.string(), to: z.string() }),
  seats: z.number(),
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
    summary: 'The subscription and the accounts it covers',
    scopes: ['inbox:read'],
    response: z.object({
      subscription: Subscription,
      accounts: z.array(
        z.object({ connection: z.string(), channel: z.string(), account: z.string() }),
      ),
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
