import { type Kysely, sql } from 'kysely'

// What is left of people who were erased: a card without anything in it, to which conversations, letters and deals refer, and keyed
// hashes of their addresses. The key of a workspace is sealed; it is random and never changes, whatever SECRET_KEY is.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table people add column erased_at timestamptz(3)`.execute(db)
  await sql`create table erasure_keys (
    id text primary key references workspaces,
    secret text not null)`.execute(db)
  await sql`create table erased_addresses (
    workspace text not null references workspaces,
    hash bytea not null,
    erased_at timestamptz(3) not null,
    primary key (workspace, hash))`.execute(db)
  // What an erasure still looks for, and how far it has come. The operation is written after it.
  await sql`create table erasures (
    operation text primary key references operations on delete cascade deferrable initially deferred,
    workspace text not null references workspaces,
    person text not null,
    -- The names and addresses to be found; null once nothing of them is left.
    sought jsonb,
    step integer not null default 0,
    after jsonb,
    counts jsonb not null default '{}')`.execute(db)
  await sql`alter table import_rows drop constraint import_rows_outcome_check`.execute(db)
  await sql`alter table import_rows add constraint import_rows_outcome_check
    check (outcome in ('new', 'update', 'same', 'duplicate', 'invalid', 'erased')) not valid`.execute(
    db,
  )
}
