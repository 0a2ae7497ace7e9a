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
      .describe('The id of the delivered event; it is the `webhook-id` of every attempt.'),
    kind: z.string().describe('The kind of the event, such as `message.received`.'),
    state: z.enum(['queued', 'delivered', 'failed']).describe(
      withValues('The state of the delivery.', {
        queued: 'it is still to be attempted',
        delivered: 'the address answered 2xx',
        failed: 'it was given up',
      }),
    ),
    attempts: z.number().describe('The number of attempts.'),
    status: z
      .number()
      .nullable()
      .describe('The HTTP status of the last answer; null if there was none.'),
    problem: z
      .string()
      .nullable()
      .describe('What went wrong in the last attempt, as a stable code; null if nothing did.'),
    at: z.string().describe('When the event was queued for the webhook.'),
    triedAt: z
      .string()
      .nullable()
      .describe('When it was last attempted; null before the first attempt.'),
    nextTryAt: z.string().nullable().describe('When it is attempted next; null if it is not.'),
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
    description: 'The events that were sent and their outcome, newest first, kept for 30 days.',
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
    description: 'The event is sent again whatever the outcome so far.',
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
      // An event that a client requests is not held back until the end of a rest.
      await interruptRunner(db, webhook)
      changed(webhook.id, { state: delivery.state }, { delivery: delivery.id, state: 'queued' })
      return present(
        found(await lockDelivery(db, workspace.id, webhook.id, delivery.id), 'delivery'),
      )
    },
  }),
]
