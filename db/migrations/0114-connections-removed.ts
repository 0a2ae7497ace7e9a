import { type Kysely, sql } from 'kysely'

// A connection that was removed stays as a row, which its conversations, letters and meetings refer to.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table connections add column if not exists removed_at timestamptz(3)`.execute(db)
}
