import { type Kysely, sql } from 'kysely'

// A confidential answer is repeated only to the token that asked for it, and the answer to a call without a key is not kept.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `alter table operations add column token text, add column keyless boolean not null default false`,
    )
    .execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table operations drop column token, drop column keyless`).execute(db)
}
