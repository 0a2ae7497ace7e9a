import { type SqlBool, sql } from 'kysely'
import type { Db, Trx } from './database.ts'
import { newId } from './ids.ts'
import { enqueueStart } from './outbox.ts'

// One event on its way to one webhook. Each delivery is a workflow, each redelivery another one.

/**
 * The workflow of a delivery. Scope: the delivery and its round, because a closed id cannot run again and a redelivery is
 * another run. An older round ends when it looks at the row.
 */
export const deliveryWorkflowId = (delivery: string, round: number): string =>
  round === 0 ? delivery : `${delivery}-r${round}`

/**
 * Sends an event to the enabled webhooks of its workspace that ask for its kind: rows and starts, in the event's transaction.
 * What happens to webhooks themselves is not sent to them, or each redelivery would make another delivery.
 */
export async function addDeliveries(
  trx: Db,
  event: { id: string; workspace: string; kind: string; at: Date },
) {
  if (event.kind.startsWith('webhook.')) return
  const webhooks = await trx
    .selectFrom('webhooks')
    .select('id')
    .where('workspace', '=', event.workspace)
    .where('enabled', '=', true)
    .where(sql<SqlBool>`(cardinality(kinds) = 0 or ${event.kind} = any(kinds))`)
    .orderBy('id')
    .execute()
  for (const webhook of webhooks) {
    const id = newId('dlv')
    await trx
      .insertInto('deliveries')
      .values({ id, webhook: webhook.id, event: event.id, createdAt: event.at })
      .execute()
    await startRound(trx, event.workspace, id, 0)
  }
}

const startRound = (trx: Db, workspace: string, delivery: string, round: number) =>
  enqueueStart(trx, {
    type: 'deliverWebhook',
    workflowId: deliveryWorkflowId(delivery, round),
    args: [{ delivery, round }],
    attributes: { Workspace: workspace },
  })

const deliveryRows = (db: Db) =>
  db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.event')
    .selectAll('deliveries')
    .select(['events.kind', 'events.workspace', 'events.resource', 'events.at', 'events.data'])

export type DeliveryRow = NonNullable<Awaited<ReturnType<typeof findDelivery>>>

export const findDelivery = (db: Db, id: string) =>
  deliveryRows(db).where('deliveries.id', '=', id).executeTakeFirst()

/** Newest first; `after` is the (createdAt, id) of the last row of the page before. */
export const listDeliveries = (
  db: Db,
  webhook: string,
  after: readonly [string, ...string[]] | undefined,
  limit: number,
) =>
  deliveryRows(db)
    .where('webhook', '=', webhook)
    .$if(after !== undefined, (q) =>
      q.where(
        sql<SqlBool>`(deliveries.created_at, deliveries.id) < (${after?.[0]}::timestamptz, ${after?.[1]})`,
      ),
    )
    .orderBy('deliveries.createdAt', 'desc')
    .orderBy('deliveries.id', 'desc')
    .limit(limit)
    .execute()

/** Locks a delivery of a webhook until the transaction ends; undefined when it is none of it. */
export async function lockDelivery(
  trx: Trx,
  webhook: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  await sql`select id from deliveries where id = ${id} for update`.execute(trx)
  return deliveryRows(trx)
    .where('deliveries.id', '=', id)
    .where('webhook', '=', webhook)
    .executeTakeFirst()
}

/** Sends an event to a webhook once more, from the first try on. */
export async function redeliver(trx: Trx, delivery: DeliveryRow) {
  const round = delivery.round + 1
  await trx
    .updateTable('deliveries')
    .set({ state: 'queued', round, attempts: 0, status: null, problem: null, nextTryAt: null })
    .where('id', '=', delivery.id)
    .execute()
  await startRound(trx, delivery.workspace, delivery.id, round)
}

/** Notes what became of one try; nothing when a redelivery has begun meanwhile, or it was settled by another attempt. */
export const updateDelivery = (
  db: Db,
  { id, round }: { id: string; round: number },
  tried: {
    state: 'queued' | 'delivered' | 'failed'
    status: number | null
    problem: string | null
    triedAt: Date
    nextTryAt: Date | null
  },
) =>
  db
    .updateTable('deliveries')
    .set((eb) => ({ ...tried, attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('round', '=', round)
    .where('state', '=', 'queued')
    .returning('id')
    .executeTakeFirst()
