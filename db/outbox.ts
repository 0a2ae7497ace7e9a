import { sql } from 'kysely'
import type { Db } from './database.ts'

// Commands to Temporal, written in the transaction of the change that causes them and carried out by the relay after the
// commit. There is no order between commands: a signal may arrive before the start it belongs to, so it only shortens a
// wait, and whoever starts later reads the row.

/** The search attributes an operator finds a workflow by. */
export type SearchAttributes = {
  Workspace?: string
  IdempotencyKey?: string
  Campaign?: string
  Conversation?: string
  Person?: string
  Connection?: string
}

export type Start = {
  type: string
  workflowId: string
  /** Ids only: histories are readable by operators. */
  args: unknown[]
  attributes: SearchAttributes
  operation?: string
  /** Start it although a closed run has this id: an operator's restart. */
  restart?: boolean
}

/** Puts the start of a workflow into the outbox. Call it in the transaction of the change. */
export async function enqueueStart(trx: Db, start: Start) {
  await trx
    .insertInto('outbox')
    .values({
      kind: 'start',
      operation: start.operation ?? null,
      workflowType: start.type,
      workflowId: start.workflowId,
      args: JSON.stringify(start.args),
      attributes: JSON.stringify(start.attributes),
      restart: start.restart ?? false,
    })
    .execute()
  if (start.operation) {
    await trx
      .updateTable('operations')
      .set({ workflowType: start.type })
      .where('id', '=', start.operation)
      .execute()
  }
  await wakeRelay(trx)
}

/** Puts a signal into the outbox; to a workflow that is not there it is nothing. */
export async function enqueueSignal(
  trx: Db,
  workflowId: string,
  signal: string,
  args: unknown[] = [],
) {
  await trx
    .insertInto('outbox')
    .values({ kind: 'signal', workflowId, signal, args: JSON.stringify(args), attributes: '{}' })
    .execute()
  await wakeRelay(trx)
}

const wakeRelay = (trx: Db) => sql`select pg_notify('outbox', '')`.execute(trx)

export type Command = Awaited<ReturnType<typeof lockCommands>>[number]

/** The oldest commands that are due, locked until the transaction ends; another relay skips them. */
export const lockCommands = (trx: Db, limit: number) =>
  trx
    .selectFrom('outbox')
    .selectAll()
    .where('dispatchedAt', 'is', null)
    .where('deadAt', 'is', null)
    .where('nextTryAt', '<=', sql<Date>`clock_timestamp()`)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()

export const commandDispatched = (trx: Db, id: string) =>
  trx
    .updateTable('outbox')
    .set({ dispatchedAt: new Date(), problem: null })
    .where('id', '=', id)
    .execute()

/** Puts a command off by `delayMs`, with the safe text of what stopped it; `dead` ends it for good. */
export const commandFailed = (
  trx: Db,
  id: string,
  problem: string,
  delayMs: number,
  dead = false,
) =>
  trx
    .updateTable('outbox')
    .set((eb) => ({
      attempts: eb('attempts', '+', 1),
      nextTryAt: new Date(Date.now() + delayMs),
      problem,
      ...(dead && { deadAt: new Date() }),
    }))
    .where('id', '=', id)
    .execute()

export type Backlog = { oldestSeconds: number; dead: number; orphaned: number; unconfirmed: number }

/**
 * What an operator is alarmed by: seconds the oldest command that could not be carried out yet has waited (0 when there is
 * none), commands Temporal refused for good, open operations that lost their workflow, letters nobody has confirmed.
 */
export async function findBacklog(db: Db): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    select
      (select coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8
        from outbox where dispatched_at is null and dead_at is null) as oldest_seconds,
      (select count(*)::int from outbox where dead_at is not null) as dead,
      (select count(*)::int from operations
        where workflow_type is not null and ended_at is null and waiting_for = 'restart') as orphaned,
      (select count(*)::int from touches where state = 'sending' and reason = 'unconfirmed')
        + (select count(*)::int from messages where state = 'sending' and reason = 'unconfirmed')
        + (select count(*)::int from invitations where state = 'sending' and reason = 'unconfirmed') as unconfirmed`.execute(
    db,
  )
  return rows[0] as Backlog
}
