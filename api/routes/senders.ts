import { z } from 'zod'
import { findChannelIds } from '../../db/channels.ts'
import { listSenderHealth, presentHealth } from '../../db/senders.ts'
import { dayIn, limitsOf, mondayIn } from '../../workflows/pace.ts'
import { invalid } from '../errors.ts'
import { awaited, change, type ReadContext, read } from '../route.ts'
import { Id, optional } from '../shapes.ts'

const Budget = z.object({ day: z.number(), week: z.number() })

const Health = z
  .object({
    checked: z.boolean(),
    accounts: z.array(
      z.object({
        connection: z.string(),
        channel: z.string(),
        account: z.string(),
        health: z.object({
          level: z.string(),
          limits: Budget,
          weakest: z.array(z.string()),
          signals: z.array(
            z.object({
              key: z.string(),
              level: z.string(),
              score: z.number(),
              facts: z.record(z.string(), z.unknown()),
            }),
          ),
        }),
        used: Budget,
      }),
    ),
  })
  .meta({ id: 'SendersHealth' })

async function readHealth({
  db,
  workspace,
  clock,
}: Pick<ReadContext, 'db' | 'workspace' | 'clock'>) {
  const now = clock.now()
  const zone = workspace.timezone
  const rows = await listSenderHealth(db, workspace.id, {
    day: dayIn(zone, now),
    monday: mondayIn(zone, now),
  })
  return presentHealth(rows, limitsOf)
}

export const routes = [
  read({
    path: '/senders/health',
    summary: 'Health, limits and use of the sending accounts',
    scopes: ['inbox:read'],
    response: Health,
    handler: (_, context) => readHealth(context),
  }),

  change({
    method: 'POST',
    path: '/senders/health/check',
    summary: 'Rechecks one sending account or all',
    scopes: ['inbox:write'],
    action: 'senders.checked',
    body: z.strictObject({ connection: optional(Id) }),
    response: Health,
    errors: ['still_running'],
    async handler({ body: { connection } }, context) {
      const { db, workspace, operation } = context
      if (
        connection !== undefined &&
        !(await findChannelIds(db, workspace.id, [connection])).has(connection)
      )
        throw invalid('/connection', 'unknown_id', 'is no connection of this workspace')
      const input = {
        operation: operation.id,
        workspace: workspace.id,
        connection: connection ?? null,
      }
      await context.start('checkSenders', [input], connection ? { Connection: connection } : {})
      context.changed(connection ?? workspace.id)
      return awaited
    },
  }),
]
