import { type Kysely, sql } from 'kysely'

// What an agent has prepared and nobody has sent yet, for a quarter of an hour; and whether a token may send it without a person.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table if not exists prepared_messages (
    id text primary key,
    workspace text not null references workspaces on delete cascade,
    token text not null,
    conversation text not null,
    version integer not null,
    to_address text not null,
    connection text not null,
    subject text not null,
    text text not null,
    send_at timestamptz,
    heard bigint not null,
    ticket text not null unique,
    expires_at timestamptz not null,
    confirmed_by text,
    sent_at timestamptz)`.execute(db)
  await sql`create index if not exists prepared_messages_of_workspace on prepared_messages (workspace)`.execute(
    db,
  )
  await sql`create index if not exists prepared_messages_expires on prepared_messages (expires_at)`.execute(
    db,
  )
  await sql`alter table tokens add column if not exists unattended boolean not null default false`.execute(
    db,
  )
}
