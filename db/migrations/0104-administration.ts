import { type Kysely, sql } from 'kysely'

// Tokens of the administration. They have a table of their own, so that no look-up can take one kind for the other. And when a
// workspace was made: one that was there before shows when this step was taken.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table if not exists admin_tokens (
    id text primary key,
    hash bytea not null unique,
    -- The one workspace that it sees; null if it sees all.
    workspace text references workspaces,
    client_id text not null,
    client_name text not null,
    scopes text[] not null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    revoked_at timestamptz(3),
    last_used_at timestamptz(3))`.execute(db)
  await sql`alter table workspaces
    add column if not exists created_at timestamptz(3) not null default now()`.execute(db)
}

// How many members and accounts each workspace of a page has.
export const indexes = [
  { name: 'members_of_workspace', on: 'members (workspace, id)' },
  { name: 'connections_of_workspace', on: 'connections (workspace, id)' },
]
