import { type Kysely, sql } from 'kysely'

// A workspace that is erased leaves its id, which is never given again, and what the operation of it says. The rows of the others are
// deleted, which looks for what refers to each: for that these columns had no index.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table workspaces add column if not exists erased_at timestamptz(3)`.execute(db)
  await sql`create table if not exists workspace_erasures (
    workspace text primary key references workspaces,
    operation text not null unique,
    step integer not null default 0,
    -- How many rows of each table were deleted.
    counts jsonb not null default '{}',
    unconfirmed integer not null default 0)`.execute(db)
}

export const indexes = [
  { name: 'touches_of_message', on: 'touches (message) where message is not null' },
  { name: 'touches_of_conversation', on: 'touches (conversation) where conversation is not null' },
  { name: 'tasks_of_message', on: 'tasks (message) where message is not null' },
]
