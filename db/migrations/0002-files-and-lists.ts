import { type Kysely, sql } from 'kysely'

// What reading files, deals, notifications and the dashboard needs.

const statements = [
  // A file is read in pieces. A compressed value would be unpacked as a whole for each of them; this setting applies to new
  // rows.
  `alter table files alter column content set storage external`,
  // The order of the files in a message: ids made in the same millisecond do not give one.
  `alter table files add column seq bigint generated always as identity`,
  `create index deals_newest on deals (workspace, created_at desc, id desc)`,
  `create index notifications_newest on notifications (member, at desc, id desc)`,
  `create index notifications_unread on notifications (member) where read_at is null`,
  `create index conversation_labels_by_label on conversation_labels (label)`,
  `create index person_tags_by_label on person_tags (label) where removed_at is null`,
  `create index messages_received on messages (workspace, at) where direction = 'inbound'`,
  `create index messages_sent on messages (workspace, sent_at) where direction = 'outbound' and state = 'sent'`,
]

const undone = [
  ...`messages_sent messages_received person_tags_by_label conversation_labels_by_label notifications_unread
  notifications_newest deals_newest`
    .split(/\s+/)
    .map((index) => `drop index ${index}`),
  `alter table files drop column seq`,
  `alter table files alter column content set storage extended`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const statement of undone) await sql.raw(statement).execute(db)
}
