import { type Kysely, sql } from 'kysely'

// How far each account's mailbox has been read, and which sent letters bounced.

const statements = [
  // The cursor of a folder: UIDs below next_uid have been read under this UIDVALIDITY (RFC 9051, 2.3.1.1). since is when
  // reading began: earlier mail belongs to the archive. read_at is real time: whether a reader is alive.
  `create table mailboxes (
    connection text not null references connections on delete cascade,
    folder text not null check (folder in ('inbox', 'sent')),
    uid_validity text not null, next_uid bigint not null,
    primary key (connection, folder))`,
  `create table mailbox_readers (
    connection text primary key references connections on delete cascade,
    since timestamptz(3) not null,
    problem text, read_at timestamptz(3))`,

  // Message-IDs of ours that were seen in a Sent folder: these letters went.
  `create table sent_evidence (
    workspace text not null references workspaces,
    message_id text not null, at timestamptz(3) not null,
    primary key (workspace, message_id))`,

  // filed: it is in the account's Sent folder, or need not be. code: what a bounce said (RFC 3463).
  `alter table messages add column filed boolean not null default false`,
  `alter table messages add column code text`,
  `update messages set filed = true`,
  `create index messages_to_file on messages (connection, sent_at)
    where direction = 'outbound' and state = 'sent' and not filed`,
  `alter table touches add column code text`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    `alter table touches drop column code`,
    `drop index messages_to_file`,
    `alter table messages drop column code`,
    `alter table messages drop column filed`,
    `drop table sent_evidence`,
    `drop table mailbox_readers`,
    `drop table mailboxes`,
  ])
    await sql.raw(statement).execute(db)
}
