import { sql } from 'kysely'
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
    group by 1, 2 order by 1, 2`.execute(db)
  return rows.map(({ kind, problem, count }) => ({ labels: { kind, problem }, value: count }))
}

/**
 * By how many seconds the most overdue message or letter is late. Letters of campaigns count only once their sending has begun,
 * because a queue rightly waits for hours and limits.
 */
export async function findOverdue(db: Db, now: Date): Promise<Labelled[]> {
  const { rows } = await sql<Record<'message' | 'invitation' | 'letter', number>>`
    select
      (select coalesce(extract(epoch from ${now}::timestamptz - min(greatest(due_at, next_try_at))), 0)::float8
        from messages where state = 'queued') as message,
      (select coalesce(extract(epoch from ${now}::timestamptz - min(greatest(due_at, next_try_at))), 0)::float8
        from invitations where state = 'queued') as invitation,
      (select coalesce(extract(epoch from ${now}::timestamptz - min(touches.due_at)), 0)::float8
        from touches join campaigns on campaigns.id = touches.campaign
        where campaigns.state = 'running' and touches.state = 'queued' and touches.workflow is not null) as letter`.execute(
    db,
  )
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

/**
 * Webhooks that are switched on, by whether their address accepts anything, and the number of deliveries queued for all of
 * them: two counts, each of which an index answers.
 */
export async function countWebhooks(db: Db): Promise<{ queued: number; failing: number }> {
  const { rows } = await sql<{ queued: number; failing: number }>`
    select
      (select count(*)::int from deliveries where state = 'queued' and next_try_at is null)
        + (select count(*)::int from deliveries where state = 'queued' and next_try_at is not null) as queued,
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
