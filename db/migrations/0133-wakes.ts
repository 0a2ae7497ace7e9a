import { type Kysely, sql } from 'kysely'

// Where portions of regular work begin: with what was done longest ago. A signal that waits stands for those that are asked for
// meanwhile (db/operations/wakes.ts).
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    alter table segments add column if not exists refilled_at timestamptz(3), add column if not exists refilled_to text;
    alter table calendars add column if not exists tried_at timestamptz(3);`)
    .execute(db)
}

export const indexes = [
  {
    name: 'outbox_signals',
    on: "outbox (workflow_id) where kind = 'signal' and dispatched_at is null and dead_at is null",
  },
  {
    name: 'segments_to_refill',
    on: "segments (coalesce(refilled_at, '-infinity'), id) where refill",
  },
  {
    name: 'connections_to_check',
    on: "connections (coalesce(checked_at, '-infinity'), id) where not paused and removed_at is null",
  },
  {
    name: 'connections_to_revive',
    on: "connections (coalesce(checked_at, '-infinity'), id) where not alive and not paused and removed_at is null",
  },
  { name: 'calendars_to_read', on: "calendars (coalesce(tried_at, '-infinity'), id)" },
]
