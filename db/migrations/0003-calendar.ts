import { type Kysely, sql } from 'kysely'

// Each member has a calendar of the house, which needs no row. The rows of calendars describe those on other servers.

const tables = [
  `create table calendars (
    id text primary key,
    workspace text not null references workspaces,
    name text not null, member text not null references members,
    caldav jsonb not null, secrets text,
    problem text, synced_at timestamptz(3))`,
  // Meetings booked here, and copies (own = false) of events in calendars on other servers; instance identifies the occurrences
  // of a recurring event. remote is what is known of the event on the other server.
  `create table meetings (
    id text primary key,
    workspace text not null references workspaces,
    calendar text not null,
    uid text not null, instance text not null default '',
    title text not null, agenda text not null default '',
    zone text not null,
    starts_at timestamptz(3) not null, ends_at timestamptz(3) not null,
    guests text[] not null default '{}', replies jsonb not null default '[]',
    state text not null default 'booked' check (state in ('booked', 'cancelled')),
    own boolean not null, busy boolean not null default true,
    sequence integer not null default 0,
    connection text references connections,
    remote text not null check (remote in ('none', 'pending', 'there', 'gone')), remote_at timestamptz(3),
    created_at timestamptz(3) not null)`,
  `create unique index meetings_by_uid on meetings (workspace, calendar, uid, instance)`,
  `create index meetings_by_end on meetings (workspace, ends_at)`,
  // One mail to one guest, with the send marker of messages and touches.
  `create table invitations (
    id text primary key,
    workspace text not null references workspaces,
    meeting text not null references meetings on delete cascade,
    address text not null,
    method text not null check (method in ('request', 'cancel')),
    sequence integer not null,
    state text not null default 'queued' check (state in ('queued', 'sending', 'sent', 'failed', 'cancelled')),
    reason text,
    connection text references connections,
    message_id text,
    due_at timestamptz(3) not null, next_try_at timestamptz(3), sent_at timestamptz(3),
    attempt text, tries integer not null default 0, claimed_at timestamptz(3), claimed_day date,
    unique (meeting, method, address))`,
  `create index invitations_open on invitations (due_at) where state in ('queued', 'sending')`,
  // The input of a check until it is answered: its workflow gets only the operation's id.
  `create table meeting_checks (
    operation text primary key,
    workspace text not null references workspaces,
    draft jsonb not null)`,
]

const dropped = ['meeting_checks', 'invitations', 'meetings', 'calendars']

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of tables) await sql.raw(statement).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of dropped) await sql.raw(`drop table ${table}`).execute(db)
}
