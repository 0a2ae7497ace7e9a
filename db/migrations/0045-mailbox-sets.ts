import { type Kysely, sql } from 'kysely'

// Mailboxes are read in sets, of which a worker holds several, and in every folder.

const statements = [
  // Who reads the mailboxes of a set, and until when nobody else does (real time). version: raised whenever its accounts change.
  `create table mailbox_sets (
    id text primary key, holder text, lease_until timestamptz(3), version bigint not null default 0)`,
  `alter table mailbox_readers
    add column mailbox_set text references mailbox_sets,
    add column asked bigint not null default 0,
    add column handle_seen_at timestamptz(3)`,
  `create index mailbox_readers_set on mailbox_readers (mailbox_set)`,

  // The cursor of a folder, by its path; 'sent' was that of the Sent folder, whose path was not kept. hidden: how many mails the
  // server counts there and does not show.
  `alter table mailboxes drop constraint mailboxes_folder_check, add column hidden int not null default 0`,
  `update mailboxes set folder = 'INBOX' where folder = 'inbox'`,

  // Where it lies in its mailbox; null of one that came another way.
  `alter table messages add column folder text`,

  // Whether a worker reads mailboxes.
  `alter table workers add column reads boolean not null default false`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    `alter table workers drop column reads`,
    `alter table messages drop column folder`,
    // The former release reads a Sent folder of which it knows no place anew, and keeps each of its mails once.
    `delete from mailboxes where folder not in ('INBOX', 'sent')`,
    `update mailboxes set folder = 'inbox' where folder = 'INBOX'`,
    `alter table mailboxes drop column hidden,
      add constraint mailboxes_folder_check check (folder in ('inbox', 'sent'))`,
    `alter table mailbox_readers drop column mailbox_set, drop column asked, drop column handle_seen_at`,
    `drop table mailbox_sets`,
  ])
    await sql.raw(statement).execute(db)
}
