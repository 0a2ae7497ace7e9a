import { type Kysely, sql } from 'kysely'

// Until when somebody follows the events of a workspace as they happen. Unlogged, because those who follow say so again and again.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create unlogged table if not exists event_readers (
    workspace text primary key,
    until timestamptz(3) not null)`.execute(db)
}
