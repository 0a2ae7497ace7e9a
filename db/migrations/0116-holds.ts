import { type Kysely, sql } from 'kysely'

// Holds: nothing of what is held is claimed, posted or filed. The table is nearly always empty, and every claim reads it. And why an
// operation waits, where its callers cannot know it otherwise.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table if not exists holds (
    id text primary key,
    what text not null check (what in ('all', 'workspace', 'host')),
    -- Which one, where it is a workspace or a host.
    workspace text references workspaces on delete cascade,
    host text,
    set_by text not null check (set_by in ('operator', 'administration', 'workspace')),
    client_id text,
    client_name text,
    why text not null,
    created_at timestamptz(3) not null,
    check ((workspace is not null) = (what = 'workspace') and (host is not null) = (what = 'host')))`.execute(
    db,
  )
  // Each of those who may hold something has one hold of it.
  await sql`create unique index if not exists holds_once
    on holds (what, coalesce(workspace, ''), coalesce(host, ''), set_by)`.execute(db)
  await sql`alter table operations add column if not exists waiting_why text`.execute(db)
}

// What waits for the end of a hold.
export const indexes = [
  { name: 'operations_held', on: "operations (id) where waiting_for = 'held'" },
]
