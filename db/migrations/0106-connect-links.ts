import { type Kysely, sql } from 'kysely'

// What a link to the consent of an owner is bound to: the token that made it, and the browser that set out with it. A login keeps
// for whom its owner consented first.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table connect_tickets
    add column if not exists token text,
    add column if not exists browser text`.execute(db)
  await sql`alter table logins add column if not exists owner text`.execute(db)
}
