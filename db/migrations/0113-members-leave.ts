import { type Kysely, sql } from 'kysely'

// A member who has left stays as a row, which their notes and the audit log refer to; `successor` is who has taken over what was
// theirs. The tokens of a workspace are listed for its administration.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table members
    add column if not exists left_at timestamptz(3),
    add column if not exists successor text`.execute(db)
}

export const indexes = [
  { name: 'tokens_of_workspace', on: 'tokens (workspace, id)' },
  { name: 'connect_tickets_of_member', on: 'connect_tickets (member)' },
  { name: 'tasks_of_member', on: "tasks (member) where state = 'queued'" },
]
