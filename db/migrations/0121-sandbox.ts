import { type Kysely, sql } from 'kysely'

// Whether what a workspace sends leaves (`live`) or is answered by the mail server that this service plays (`sandbox`). It is decided
// when the workspace is made. `sandbox_letters` is what that server keeps: the letters that it has put off or answers, and the mails
// that come back, which get their number (uid) when they are due.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table workspaces
    add column if not exists mode text not null default 'live' check (mode in ('live', 'sandbox'))`.execute(
    db,
  )
  await sql`create sequence if not exists sandbox_uids`.execute(db)
  await sql`create table if not exists sandbox_letters (
    connection text not null references connections (id) on delete cascade,
    message_id text not null,
    recipient text not null,
    workspace text not null references workspaces (id) on delete cascade,
    first_at timestamptz(3) not null,
    kept_at timestamptz(3) not null default clock_timestamp(),
    answer bytea,
    answer_at timestamptz(3),
    uid bigint,
    arrived_at timestamptz(3),
    primary key (connection, message_id, recipient)
  )`.execute(db)
  await sql`create index if not exists sandbox_letters_arrived on sandbox_letters (connection, uid)
    where uid is not null`.execute(db)
  await sql`create index if not exists sandbox_letters_due on sandbox_letters (connection, answer_at)
    where answer is not null and uid is null`.execute(db)
  await sql`create index if not exists sandbox_letters_kept on sandbox_letters (kept_at)`.execute(
    db,
  )
}
