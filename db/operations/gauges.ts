import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database.ts'

// What /metrics shows of the whole deployment, read from the database at each request. Instants are of the business clock
// unless said otherwise.

export type Labelled = { labels: Record<string, string>; value: number }

/** Accounts by their kind and by why they cannot be used; `none` if no problem is known. */
export async function countAccounts(db: Db): Promise<Labelled[]> {
  const { rows } = await sql<{ kind: string; problem: string; count: number }>`
    select connections.kind, coalesce(connections.problem, reader.problem, 'none') as problem, count(*)::int as count
    from connections left join mailbox_readers as reader
      on reader.connection = connections.id and connections.imap is not null
    where connections.removed_at is null
    group by 1, 2 order by 1, 2`.execute(db)
  return rows.map(({ kind, problem, count }) => ({ labels: { kind, problem }, value: count }))
}

/**
 * By how many seconds the most overdue message or letter is late. Letters of campaigns count only once their sending has begun,
 * because a queue rightly waits for hours and limits.
 */
export async function findOverdue(db: Db, now: Date): Promise<Labelled[]> {
  // The first of an index each: a million may wait for their time.
  const late = (first: RawBuilder<unknown>) =>
    sql`coalesce(extract(epoch from ${now}::timestamptz - (${first})), 0)::float8`
  const { rows } = await sql<Record<'message' | 'invitation' | 'letter', number>>`
    select
      ${late(sql`select greatest(due_at, next_try_at) from messages where state = 'queued'
        order by greatest(due_at, next_try_at) limit 1`)} as message,
      ${late(sql`select min(greatest(due_at, next_try_at)) from invitations where state = 'queued'`)} as invitation,
      ${late(sql`select touches.due_at from touches join campaigns on campaigns.id = touches.campaign
        where campaigns.state = 'running' and touches.state = 'queued' and touches.workflow is not null
        order by touches.due_at limit 1`)} as letter`.execute(db)
  return byKind(rows[0])
}

/** For how many seconds the oldest one has been unconfirmed: since it was handed over. */
export async function findOldestUnconfirmed(db: Db, now: Date): Promise<Labelled[]> {
  const { rows } = await sql<Record<'message' | 'invitation' | 'letter', number>>`
    select
      (select coalesce(extract(epoch from ${now}::timestamptz - min(claimed_at)), 0)::float8
        from messages where state = 'sending' and reason = 'unconfirmed') as message,
      (select coalesce(extract(epoch from ${now}::timestamptz - min(claimed_at)), 0)::float8
        from invitations where state = 'sending' and reason = 'unconfirmed') as invitation,
      (select coalesce(extract(epoch from ${now}::timestamptz - min(claimed_at)), 0)::float8
        from touches where state = 'sending' and reason = 'unconfirmed') as letter`.execute(db)
  return byKind(rows[0])
}

const mostQueued = sql.lit(100_000)

/**
 * Webhooks that are switched on, by whether their address accepts anything, and the number of deliveries queued for all of
 * them, counted up to 100,000 of each of two kinds: an index answers each.
 */
export async function countWebhooks(db: Db): Promise<{ queued: number; failing: number }> {
  const { rows } = await sql<{ queued: number; failing: number }>`
    select
      (select count(*)::int from (select from deliveries
          where state = 'queued' and next_try_at is null limit ${mostQueued}) as due)
        + (select count(*)::int from (select from deliveries
          where state = 'queued' and next_try_at is not null limit ${mostQueued}) as later) as queued,
      (select count(*)::int from webhooks where enabled and failing_since is not null) as failing`.execute(
    db,
  )
  return rows[0] as (typeof rows)[number]
}

const byKind = (row: Record<string, number> | undefined): Labelled[] =>
  Object.entries(row ?? {}).map(([kind, value]) => ({
    labels: { kind },
    value: Math.max(0, value),
  }))

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
    .where(sql<boolean>`(evidence is null or not starts_with(evidence, 'imp_'))`)
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
  // Of each workspace and priority the first one, which is its oldest: none of the others is looked at, however many wait.
  const { rows } = await sql<Backlog>`
    with recursive oldest as (
      (select workspace, priority, created_at from outbox
        where dispatched_at is null and dead_at is null order by workspace, priority, id limit 1)
      union all
      select following.* from oldest cross join lateral (
        select workspace, priority, created_at from outbox
        where dispatched_at is null and dead_at is null and (workspace, priority) > (oldest.workspace, oldest.priority)
        order by workspace, priority, id limit 1) following)
    select
      (select coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 from oldest) as oldest_seconds,
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
