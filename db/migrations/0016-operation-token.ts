import { type Kysely, sql } from 'kysely'

// A confidential answer is repeated to the token that asked for it, and what was asked without a key is kept for nobody.

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
