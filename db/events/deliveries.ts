import { type SqlBool, sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
import { isHeld } from '../holds.ts'
import { newId } from '../ids.ts'
import { externalId } from './external-ids.ts'
import { tellingReaders } from './readers.ts'

// Events to be sent to webhooks, one row for each event and webhook. webhook-runners.ts says who sends them.

/** Tells the workers, when the transaction commits, that something was queued (activities/worker/waker.ts). */
export const tellOfDeliveries = (trx: Db, workspace: string) =>
  sql`select pg_notify('deliveries', ${workspace})`.execute(trx)

/** What the ids of the deliveries that one statement queues begin with. */
export const newDeliveries = () => newId('dlv')

/**
 * A part of a statement that records events of a workspace as `told`: queues them for their webhooks. Events about webhooks
 * themselves are not sent to webhooks, because each redelivery would cause another delivery.
 */
export const deliveryRows = (workspace: string, ids = newDeliveries()) => sql`
  insert into deliveries (id, webhook, event, created_at)
  select ${ids}::text || row_number() over (order by told.id, webhooks.id), webhooks.id, told.id, told.at
  from told join webhooks on webhooks.workspace = ${workspace} and enabled
    and (cardinality(kinds) = 0 or kinds && array[told.kind, split_part(told.kind, '.', 1) || '.*'])
  where told.kind not like 'webhook.%'
  returning id`

/**
 * Tells the workers of the rows that a statement queues as `queued`, and those who follow events of its events, when the
 * transaction commits; a part of its select.
 */
export const tellingOf = (workspace: string) =>
  sql`(select pg_notify('deliveries', ${workspace}) where exists (select from queued)), ${tellingReaders(workspace)}`

const deliveriesWithEvents = (db: Db) =>
  db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.event')
    .selectAll('deliveries')
    .select(['events.kind', 'events.workspace', 'events.resource', 'events.at', 'events.data'])
    .select(externalId.as('externalId'))

export type DeliveryRow = Awaited<ReturnType<typeof listDeliveries>>[number]

/** For a query of webhooks: whether one of their queued deliveries is untried, or is to be tried again. */
export const existsDelivery = (which: 'untried' | 'to retry') =>
  sql<SqlBool>`exists (select from deliveries where webhook = webhooks.id and state = 'queued'
    and ${which === 'untried' ? sql`next_try_at is null` : sql`next_try_at is not null`})`

/** Untried deliveries, in the order of their events, except those in progress; none while the workspace is held. */
export const listUntried = (db: Db, webhook: string, limit: number, inHand: string[]) =>
  queuedRows(db, webhook, limit, inHand)
    .where('nextTryAt', 'is', null)
    .orderBy('deliveries.event')
    .execute()

/** Deliveries whose next try is due, except those in progress; none while the workspace is held. */
export const listToRetry = (db: Db, webhook: string, limit: number, inHand: string[], now: Date) =>
  queuedRows(db, webhook, limit, inHand)
    .where('nextTryAt', '<=', now)
    .orderBy('nextTryAt')
    .execute()

const queuedRows = (db: Db, webhook: string, limit: number, inHand: string[]) =>
  deliveriesWithEvents(db)
    .where('webhook', '=', webhook)
    .where('state', '=', 'queued')
    .where(({ not }) => not(isHeld(sql.ref('events.workspace'))))
    .$if(inHand.length > 0, (q) => q.where('deliveries.id', 'not in', inHand))
    .limit(limit)

/** When the next delivery of a webhook is to be tried: null means now, undefined never, or not while its workspace is held. */
export async function findNextTry(
  db: Db,
  webhook: string,
  workspace: string,
): Promise<Date | null | undefined> {
  const { rows } = await sql<{ held: boolean; untried: boolean; at: Date | null }>`select
    ${isHeld(workspace)} as held,
    exists (select from deliveries where webhook = ${webhook} and state = 'queued' and next_try_at is null) as untried,
    (select min(next_try_at) from deliveries
      where webhook = ${webhook} and state = 'queued' and next_try_at is not null) as at`.execute(
    db,
  )
  if (rows[0]?.held) return undefined
  return rows[0]?.untried ? null : (rows[0]?.at ?? undefined)
}

/** Gives up the queued deliveries of a webhook that is switched off, one batch for each call; true if there are more. */
export async function giveUpQueued(db: Db, webhook: string, now: Date, limit: number) {
  const given = await db
    .updateTable('deliveries')
    .set({ state: 'failed', problem: 'disabled', status: null, triedAt: now, nextTryAt: null })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('deliveries')
        .innerJoin('webhooks', 'webhooks.id', 'deliveries.webhook')
        .select('deliveries.id')
        .where('webhooks.id', '=', webhook)
        .where('webhooks.enabled', '=', false)
        .where('state', '=', 'queued')
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(given.numUpdatedRows) === limit
}

/** Newest first; `after` is the (createdAt, id) of the last row of the page before. */
export const listDeliveries = (
  db: Db,
  webhook: string,
  after: readonly [string, ...string[]] | undefined,
  limit: number,
) =>
  deliveriesWithEvents(db)
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

/** Locks a delivery of a workspace's webhook until the transaction ends; undefined if the webhook has no such delivery. */
export const lockDelivery = (
  trx: Trx,
  workspace: string,
  webhook: string,
  id: string,
): Promise<DeliveryRow | undefined> =>
  deliveriesWithEvents(trx)
    .where('events.workspace', '=', workspace)
    .where('webhook', '=', webhook)
    .where('deliveries.id', '=', id)
    .forUpdate('deliveries')
    .executeTakeFirst()

/** Sends an event to a webhook again, starting with the first try. */
export async function redeliver(trx: Trx, delivery: DeliveryRow, now: Date) {
  await trx
    .updateTable('deliveries')
    .set({
      state: 'queued',
      round: delivery.round + 1,
      attempts: 0,
      status: null,
      problem: null,
      nextTryAt: null,
      since: now,
    })
    .where('id', '=', delivery.id)
    .execute()
  await tellOfDeliveries(trx, delivery.workspace)
}

/** Notes the outcome of one try; does nothing if a redelivery has begun meanwhile, or another attempt has settled it. */
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
