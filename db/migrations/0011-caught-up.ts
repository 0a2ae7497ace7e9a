import { type Kysely, sql } from 'kysely'

// Follow-ups wait until their account's mailbox has been read: an answer may lie there.

export async function up(db: Kysely<unknown>): Promise<void> {
  // Real time, as read_at: when nothing unread was left in it.
  await sql.raw(`alter table mailbox_readers add column caught_up_at timestamptz(3)`).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table mailbox_readers drop column caught_up_at`).execute(db)
}
