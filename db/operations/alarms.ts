import { sql } from 'kysely'
import type { Db } from '../database.ts'

// What metrics tell operators across all workspaces: how many addresses were suppressed, and which processes were started.

const suppressionReasons = ['unsubscribe', 'complaint', 'bounce', 'operator'] as const

/**
 * How many addresses were suppressed in the hour before `now` of the business clock, by reason. Those of a file say nothing of
 * today's letters.
 */
export async function countSuppressions(db: Db, now: Date): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('suppressions')
    .select(['reason', (eb) => eb.fn.countAll<string>().as('count')])
    .where('at', '>', new Date(now.getTime() - hourMs))
    .where(sql<boolean>`evidence is null or not starts_with(evidence, 'imp_')`)
    .groupBy('reason')
    .execute()
  const counts = Object.fromEntries(rows.map(({ reason, count }) => [reason, Number(count)]))
  return Object.fromEntries(suppressionReasons.map((reason) => [reason, counts[reason] ?? 0]))
}

const hourMs = 60 * 60 * 1000

/** Notes that a process has started, and deletes notes that are over a day old. Real time. */
export async function noteStart(db: Db, process: string) {
  await sql`with old as (delete from process_starts where at < clock_timestamp() - interval '1 day')
    insert into process_starts (process) values (${process})`.execute(db)
}

/** How many processes of each name have started in the last hour; 0 for a name that only started earlier in the last day. */
export async function countStarts(db: Db): Promise<Record<string, number>> {
  const { rows } = await sql<{ process: string; count: number }>`
    select process, (count(*) filter (where at > clock_timestamp() - interval '1 hour'))::int as count
    from process_starts group by process`.execute(db)
  return Object.fromEntries(rows.map(({ process, count }) => [process, count]))
}

export type Backlog = { oldestSeconds: number; dead: number; orphaned: number; unconfirmed: number }

/**
 * What raises an operator's alarms: how many seconds the oldest command that could not be carried out yet has waited (0 if
 * there is none), commands that Temporal refused for good, open operations that lost their workflow, and unconfirmed letters.
 */
export async function findBacklog(db: Db): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    select
      (select coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8
        from outbox where dispatched_at is null and dead_at is null) as oldest_seconds,
      (select count(*)::int from outbox where dead_at is not null) as dead,
      (select count(*)::int from operations
        where workflow_type is not null and ended_at is null and waiting_for = 'restart')
        -- Letters have no operation, and a lost workflow of theirs is started again anyway.
        + (select count(*)::int from outbox where kind = 'start' and restart and dispatched_at is null and dead_at is null
          and workflow_type in ('deliverTouch', 'deliverInvitation')) as orphaned,
      (select count(*)::int from touches where state = 'sending' and reason = 'unconfirmed')
        + (select count(*)::int from messages where state = 'sending' and reason = 'unconfirmed')
        + (select count(*)::int from invitations where state = 'sending' and reason = 'unconfirmed') as unconfirmed`.execute(
    db,
  )
  return rows[0] as Backlog
}
