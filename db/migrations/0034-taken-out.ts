import { type Kysely, sql } from 'kysely'

// Whom a client has taken out of a segment: no verdict makes them a member again, only adding them by hand does.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table segment_people add column taken_out boolean not null default false`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table segment_people drop column taken_out`.execute(db)
}
