import { attempts } from './letter.ts'

/** Calendars, meetings, and the mail about them. */
export const calendar = `
-- Calendars on other servers. That of the house, which each member has, needs no row.
create table calendars (
  id text primary key,
  workspace text not null references workspaces,
  name text not null,
  member text not null references members,
  caldav jsonb not null,
  secrets text,
  problem text,
  synced_at timestamptz(3));

-- Meetings booked here, and copies (own = false) of events in calendars on other servers; instance identifies the occurrences of a
-- recurring event. remote is what is known of the event on the other server.
create table meetings (
  id text primary key,
  workspace text not null references workspaces,
  calendar text not null,
  uid text not null,
  instance text not null default '',
  title text not null,
  agenda text not null default '',
  zone text not null,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  guests text[] not null default '{}',
  replies jsonb not null default '[]',
  -- Other times that guests have proposed.
  proposals jsonb not null default '[]',
  state text not null default 'booked' check (state in ('booked', 'cancelled')),
  own boolean not null,
  busy boolean not null default true,
  sequence integer not null default 0,
  connection text references connections,
  remote text not null check (remote in ('none', 'pending', 'there', 'gone')),
  remote_at timestamptz(3),
  created_at timestamptz(3) not null);
create unique index meetings_by_uid on meetings (workspace, calendar, uid, instance);
create index meetings_by_end on meetings (workspace, ends_at);

-- One mail to one guest. A guest gets one mail of a method for each version of a meeting; one that declines a proposal names it.
create table invitations (
  id text primary key,
  workspace text not null references workspaces,
  meeting text not null references meetings on delete cascade,
  address text not null,
  method text not null check (method in ('request', 'update', 'cancel', 'decline')),
  sequence integer not null,
  proposal text not null default '',
  connection text references connections,
  message_id text,
  state text not null default 'queued' check (state in ('queued', 'sending', 'sent', 'failed', 'cancelled')),
  reason text,
  due_at timestamptz(3) not null,
  next_try_at timestamptz(3),
  ${attempts},
  constraint invitations_once unique (meeting, method, address, sequence, proposal));
create index invitations_open on invitations (due_at) where state in ('queued', 'sending');
create index invitations_unconfirmed on invitations (id) where state = 'sending' and reason = 'unconfirmed';
-- What a mail that comes in refers to.
create index invitations_by_message_id on invitations (workspace, message_id);
-- How many guests an account has invited on a day is counted at each claim.
create index invitations_by_day on invitations (connection, claimed_day);

-- The input of a check until it is answered: its workflow gets only the operation's id.
create table meeting_checks (
  operation text primary key,
  workspace text not null references workspaces,
  draft jsonb not null);
`
