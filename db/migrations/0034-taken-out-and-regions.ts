import { type Kysely, sql } from 'kysely'

// Whom a client has taken out of a segment: no verdict makes them a member again, only adding them by hand does. And the country
// whose national phone numbers a workspace, or one import, writes.

const steps = [
  'alter table segment_people add column taken_out boolean not null default false',
  'alter table workspaces add column region text',
  'alter table imports add column region text',
]

const back = [
  'alter table imports drop column region',
  'alter table workspaces drop column region',
  'alter table segment_people drop column taken_out',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const step of steps) await sql.raw(step).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const step of back) await sql.raw(step).execute(db)
}
