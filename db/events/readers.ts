import { sql } from 'kysely'
import type { Db } from '../database.ts'

// Who follows the events of a workspace as they happen (api/http/event-feed.ts). Postgres lets only one transaction with a
// notification commit at a time, so an event is announced only where somebody follows.

/** Says that somebody follows the events of these workspaces for `ms` from now. */
export const noteReaders = (db: Db, workspaces: string[], ms: number) =>
  sql`insert into event_readers (workspace, until)
    select workspace, clock_timestamp() + ${ms} * interval '1 ms'
    from unnest(${workspaces.toSorted()}::text[]) as reading (workspace)
    on conflict (workspace) do update set until = excluded.until`.execute(db)

/** Tells the API processes of the events that a statement records, when its transaction commits, if somebody follows them. */
export const tellingReaders = (workspace: string) =>
  sql`(select pg_notify('events', ${workspace}) where exists
    (select from event_readers where workspace = ${workspace} and until > clock_timestamp()))`

/**
 * How far the events of each workspace can be read, and whether one is there that cannot be read yet, because a transaction
 * before its own is still open. "Offset 0" has those of each workspace looked up, whatever Postgres expects.
 */
export async function findHeads(db: Db, workspaces: string[]) {
  const { rows } = await sql<{ workspace: string; head: string | null; hidden: boolean }>`
    select reading.workspace,
      (select xid::text || '-' || id from events where events.workspace = reading.workspace
        and xid < pg_snapshot_xmin(pg_current_snapshot()) order by xid desc, id desc limit 1) as head,
      exists (select from events where events.workspace = reading.workspace
        and xid >= pg_snapshot_xmin(pg_current_snapshot()) offset 0) as hidden
    from unnest(${workspaces}::text[]) as reading (workspace)`.execute(db)
  return rows
}
