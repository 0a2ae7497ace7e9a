import { type Kysely, sql } from 'kysely'

// The language and the signer of a letter's text: the fixed words that are added to it follow its language, and it goes through
// an account of the member who signs it.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table touches add column language text, add column signed_by text`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table touches drop column language, drop column signed_by`.execute(db)
}
