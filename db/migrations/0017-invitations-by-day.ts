import { type Kysely, sql } from 'kysely'

// How many guests an account has invited on a day is counted at each claim.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`create index invitations_by_day on invitations (connection, claimed_day)`)
    .execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`drop index invitations_by_day`).execute(db)
}
