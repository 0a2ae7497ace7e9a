import { type Kysely, sql } from 'kysely'

// Follow-ups wait until their account's mailbox has been read, because it may hold an answer.

export async function up(db: Kysely<unknown>): Promise<void> {
  // When it was last read to its end; real time, like read_at.
  await sql.raw(`alter table mailbox_readers add column caught_up_at timestamptz(3)`).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table mailbox_readers drop column caught_up_at`).execute(db)
}
