import { type Kysely, sql } from 'kysely'

// Which sitting reads a mailbox: an earlier one that has not noticed yet that it was replaced stops at its next look.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mailbox_readers add column holder text`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mailbox_readers drop column holder`.execute(db)
}
