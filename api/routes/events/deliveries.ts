import { z } from 'zod'
import {
  type DeliveryRow,
  listDeliveries,
  lockDelivery,
  redeliver,
} from '../../../db/events/deliveries.ts'
import { eventId } from '../../../db/events/events.ts'
import { interruptRunner } from '../../../db/events/webhook-runners.ts'
import { findWebhook, lockWebhook } from '../../../db/events/webhooks.ts'
import { ApiError, found } from '../../http/errors.ts'
import { change, read } from '../../route.ts'
import {
  Id,
  IdParams,
  iso,
  isoOrNull,
  next,
  OwnId,
  Paging,
  page,
  readCursor,
  withValues,
} from '../../shapes/shapes.ts'

const Delivery = z
  .object({
    id: OwnId,
    event: z
      .string()
      .describe('The id of the event that is delivered; it is the `webhook-id` of each try.'),
    kind: z.string().describe('The kind of the event, such as `message.received`.'),
    state: z.enum(['queued', 'delivered', 'failed']).describe(
      withValues('Where it stands.', {
        queued: 'it is still to be tried',
        delivered: 'the address answered 2xx',
        failed: 'it was given up',
      }),
    ),
    attempts: z.number().describe('How often it was tried.'),
    status: z
      .number()
      .nullable()
      .describe('The HTTP status of the last answer; null while there was none.'),
    problem: z
      .string()
      .nullable()
      .describe('What went wrong the last time, as a stable code; null where nothing did.'),
    at: z.string().describe('When the event was queued for the webhook.'),
    triedAt: z.string().nullable().describe('When it was last tried; null before the first try.'),
    nextTryAt: z.string().nullable().describe('When it is tried next; null where it is not.'),
  })
  .meta({ id: 'Delivery' })

const present = (row: DeliveryRow): z.input<typeof Delivery> => ({
  id: row.id,
  event: eventId(row.event),
  kind: row.kind,
  state: row.state,
  attempts: row.attempts,
  status: row.status,
  problem: row.problem,
  at: iso(row.createdAt),
  triedAt: isoOrNull(row.triedAt),
  nextTryAt: isoOrNull(row.nextTryAt),
})

export const routes = [
  read({
    path: '/webhooks/{id}/deliveries',
    summary: 'List the deliveries of a webhook',
    description: 'What was sent and what became of it, newest first, kept for 30 days.',
    scopes: ['inbox:read'],
    params: IdParams,
    query: Paging,
    response: z.object({
      deliveries: z.array(Delivery).describe('The deliveries, newest first.'),
      next,
    }),
    handler: async ({ params, query }, { db, workspace }) => {
      const webhook = found(await findWebhook(db, workspace.id, params.id), 'webhook')
      const after = readCursor(query.cursor, 'time', 'text')
      const rows = await listDeliveries(db, webhook.id, after, query.limit + 1)
      const { items, next } = page(rows, query.limit, (row) => [iso(row.createdAt), row.id])
      return { deliveries: items.map(present), next }
    },
  }),
  change({
    method: 'POST',
    path: '/webhooks/{id}/deliveries/{delivery}/redeliver',
    summary: 'Deliver an event again',
    description: 'Whatever became of it before.',
    scopes: ['inbox:write'],
    action: 'webhook.redelivered',
    params: IdParams.extend({ delivery: Id }),
    response: Delivery,
    errors: ['invalid_state'],
    async handler({ params }, { db, workspace, clock, changed }) {
      const webhook = found(await lockWebhook(db, workspace.id, params.id), 'webhook')
      const delivery = found(
        await lockDelivery(db, workspace.id, webhook.id, params.delivery),
        'delivery',
      )
      if (!webhook.enabled)
        throw new ApiError('invalid_state', 'The webhook is disabled: enable it first.', {
          members: { state: 'disabled', allowed: [] },
        })
      await redeliver(db, delivery, clock.now())
      // Whoever asks for it does not wait for the end of a rest.
      await interruptRunner(db, webhook)
      changed(webhook.id, { state: delivery.state }, { delivery: delivery.id, state: 'queued' })
      return present(
        found(await lockDelivery(db, workspace.id, webhook.id, delivery.id), 'delivery'),
      )
    },
  }),
]
