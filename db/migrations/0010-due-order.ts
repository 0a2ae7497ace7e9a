import { type Kysely, sql } from 'kysely'

// Messages with a sendAt go in the order of these moments, and snoozes end in the order of theirs.

const statements = [
  `create index messages_scheduled on messages (workspace, due_at, seq)
    where state in ('queued', 'sending') and send_at is not null`,
  `create index conversations_snoozed on conversations (workspace, snooze_until, id) where state = 'snoozed'`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const index of ['conversations_snoozed', 'messages_scheduled'])
    await sql.raw(`drop index ${index}`).execute(db)
}
