import { type Kysely, sql } from 'kysely'

// Accounts that log in by OAuth 2.0: how, their tokens, and the links with which their owners consent.

const steps = [
  'alter table connections add column oauth jsonb',
  `create table logins (
    id text primary key references connections (id) on delete cascade,
    workspace text not null references workspaces (id) on delete cascade,
    state text not null default 'none' check (state in ('none', 'connected', 'consent_needed')),
    since timestamptz not null default clock_timestamp(),
    version integer not null default 0,
    access_token text,
    expires_at timestamptz,
    refresh_token text,
    settings text,
    claimed_by text,
    claimed_until timestamptz,
    problem text,
    failed_at timestamptz,
    replaced_at timestamptz)`,
  `create table connect_tickets (
    id text primary key,
    workspace text not null references workspaces (id) on delete cascade,
    connection text not null references connections (id) on delete cascade,
    member text references members (id) on delete cascade,
    client_id text,
    client_name text,
    expires_at timestamptz not null,
    used_at timestamptz,
    attempts integer not null default 0,
    state text unique,
    secrets text)`,
]

const back = [
  'drop table connect_tickets',
  'drop table logins',
  'alter table connections drop column oauth',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const step of steps) await sql.raw(step).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const step of back) await sql.raw(step).execute(db)
}
