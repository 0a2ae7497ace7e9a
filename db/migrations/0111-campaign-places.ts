import { type Kysely, sql } from 'kysely'

// How many letters a campaign has for each person, and how many weekdays pass before each one after the first.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table campaigns
    add column if not exists places integer not null default 3,
    add column if not exists wait_days integer[] not null default '{3,5}'`.execute(db)
}
