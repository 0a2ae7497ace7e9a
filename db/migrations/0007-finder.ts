import { type Kysely, sql } from 'kysely'

// Finding people beyond the contacts. Filters are json and not jsonb, because they are returned exactly as they were given.

const statements = [
  // The last find of a segment, which find/add uses if it is given nothing else.
  `alter table segments add column found_channel text, add column found_filters json`,

  // A walk through the results. The cursor moves in the transaction that adds the people before it; step counts the moves.
  `create table find_runs (
    id text primary key,
    segment text not null references segments on delete cascade,
    channel text not null check (channel in ('email', 'professional_network')),
    filters json,
    total integer, cursor text, step integer not null default 0, seen integer not null default 0,
    ended boolean not null default false,
    created_at timestamptz(3) not null)`,
  `create index find_runs_by_segment on find_runs (segment)`,

  // The input of one call, and its progress. The words stay here, because workflow inputs hold only ids.
  `create table finds (
    operation text primary key references operations on delete cascade,
    segment text not null references segments on delete cascade,
    channel text not null, words text, filters json,
    run text references find_runs on delete cascade,
    want integer not null default 0, added integer not null default 0, existing integer not null default 0)`,
  `create index finds_by_segment on finds (segment)`,
  `create index finds_by_run on finds (run)`,
  `create index prospects_in_order on prospects (workspace, id)`,
]

const reversed = [
  'drop index prospects_in_order',
  'drop table finds',
  'drop table find_runs',
  'alter table segments drop column found_channel, drop column found_filters',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const statement of reversed) await sql.raw(statement).execute(db)
}
