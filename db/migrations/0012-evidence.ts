import { type Kysely, sql } from 'kysely'

// Which mail is believed, and on what evidence: reports with their proof, mail whose sender is disowned, people whose letters
// wait, and suppressions that have ids.

const statements = [
  // authserv: the names (RFC 8601, 2.5) under which the account's own server reports what it thinks of a mail; if empty, the
  // learnt name counts. authserv_seen is the evidence so far.
  `alter table connections add column authserv text[] not null default '{}'`,
  `alter table mailbox_readers add column authserv text`,
  `alter table mailbox_readers add column authserv_seen jsonb`,

  `alter table messages add column suspect boolean not null default false`,
  // { kind, code, permanent, recipient, message, proven }
  `alter table messages add column report jsonb`,
  `create index messages_reports on messages (connection, at) where report is not null`,

  // held_why is not null while letters wait; without held_until, until somebody releases them. For reports without proof:
  // told_at is when a member was last notified of one, doubted_at when one last held letters.
  `alter table people add column held_until timestamptz(3)`,
  `alter table people add column held_why text`,
  `alter table people add column doubted_at timestamptz(3)`,
  `alter table people add column doubt_told_at timestamptz(3)`,
  // When a held letter would have gone.
  `alter table touches add column held_from timestamptz(3)`,
  `create index touches_waiting_by_person on touches (person) where state in ('queued', 'review')`,

  `alter table suppressions add column id text not null
    default 'sup_' || replace(gen_random_uuid()::text, '-', '')`,
  `alter table suppressions add constraint suppressions_id unique (id)`,
  // The message that proves the reason.
  `alter table suppressions add column evidence text`,
  `create index suppressions_newest on suppressions (workspace, at desc, id desc)`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    `drop index suppressions_newest`,
    `alter table suppressions drop column evidence, drop column id`,
    `drop index touches_waiting_by_person`,
    `alter table touches drop column held_from`,
    `alter table people drop column held_until, drop column held_why, drop column doubted_at,
      drop column doubt_told_at`,
    `drop index messages_reports`,
    `alter table messages drop column suspect, drop column report`,
    `alter table mailbox_readers drop column authserv, drop column authserv_seen`,
    `alter table connections drop column authserv`,
  ])
    await sql.raw(statement).execute(db)
}
