import { type Kysely, sql } from 'kysely'

// An account that cannot be opened is tried by one letter at a time, ever more rarely. When that is next, and what is known of
// the last try, is stored with the account, so that all processes keep to it.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table connections add column retry_at timestamptz(3), add column retry jsonb`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table connections drop column retry_at, drop column retry`.execute(db)
}
