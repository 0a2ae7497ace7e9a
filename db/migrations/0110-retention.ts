import { type Kysely, sql } from 'kysely'

// For how many days a workspace keeps what only piles up. Without it, everything is kept.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table workspaces add column if not exists retention jsonb`.execute(db)
}
