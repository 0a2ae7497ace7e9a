import { type Kysely, sql } from 'kysely'

// Mailboxes that are added by a call: each try to log in with a password, and accounts through which nothing is sent or read for a
// while.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists verifications (
      id text primary key,
      workspace text not null references workspaces on delete cascade,
      -- In the form in which addresses are compared.
      account text not null,
      -- The token that asked, or the link.
      asker text not null,
      request jsonb not null,
      -- Sealed, and gone as soon as it has ended.
      secrets text,
      outcome jsonb,
      connection text,
      created_at timestamptz not null default clock_timestamp(),
      ended_at timestamptz)`.execute(db)
  await sql`create index if not exists verifications_of_asker on verifications (asker, created_at)`.execute(
    db,
  )
  await sql`create index if not exists verifications_of_account on verifications (account, created_at)`.execute(
    db,
  )
  await sql`create index if not exists verifications_old on verifications (created_at)`.execute(db)
  await sql`alter table connections add column if not exists paused boolean not null default false`.execute(
    db,
  )
}
