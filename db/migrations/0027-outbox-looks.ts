import { type Kysely, sql } from 'kysely'

// Until when a relay looks for commands by itself, so that nobody has to tell it: one row, in real time. Unlogged, because a
// restart of Postgres ends it, and relays poll in any case.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create unlogged table outbox_looks (
        one boolean primary key check (one),
        until timestamptz(3) not null)`,
    )
    .execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('drop table outbox_looks').execute(db)
}
