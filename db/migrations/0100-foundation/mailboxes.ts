/** How far the mailboxes of accounts have been read, what was seen in them, and the parses of the archive. */
export const mailboxes = `
-- Mailboxes are read in sets, of which a worker holds several. Who reads a set, and until when nobody else does (real time).
create table mailbox_sets (
  id text primary key,
  holder text,
  lease_until timestamptz(3),
  -- Raised whenever accounts of the set change.
  version bigint not null default 0);

-- Written every few seconds while it is read: its pages have room for versions of their rows.
create table mailbox_readers (
  connection text primary key references connections on delete cascade,
  -- When reading began: earlier mail belongs to the archive.
  since timestamptz(3) not null,
  mailbox_set text references mailbox_sets,
  -- Which sitting reads it: an earlier one that has not noticed yet that it was replaced stops at its next look.
  holder text,
  asked bigint not null default 0,
  -- Real time. Follow-ups wait until it is caught up, because it may hold an answer.
  read_at timestamptz(3),
  caught_up_at timestamptz(3),
  handle_seen_at timestamptz(3),
  authserv text,
  authserv_seen jsonb,
  problem text,
  problem_since timestamptz(3),
  told_at timestamptz(3),
  retry_at timestamptz(3),
  retry jsonb) with (fillfactor = 50);
create index mailbox_readers_set on mailbox_readers (mailbox_set);

-- The cursor of a folder: UIDs below next_uid have been read under this UIDVALIDITY (RFC 9051, 2.3.1.1). Many folders are quiet.
create table mailboxes (
  connection text not null references connections on delete cascade,
  folder text not null,
  uid_validity text not null,
  next_uid bigint not null,
  -- How many mails the server counts there and does not show.
  hidden integer not null default 0,
  primary key (connection, folder)) with (fillfactor = 70);

-- Message-IDs of ours that were seen in a Sent folder: these letters went.
create table sent_evidence (
  workspace text not null references workspaces,
  message_id text not null,
  at timestamptz(3) not null,
  primary key (workspace, message_id));

-- The ids under which providers send our letters on.
create table letter_ids (
  workspace text not null references workspaces,
  connection text not null references connections,
  id text not null,
  message_id text not null,
  at timestamptz(3) not null,
  primary key (workspace, id, connection));
create index letter_ids_of_letter on letter_ids (workspace, message_id);

create table archives (
  id text primary key,
  workspace text not null references workspaces,
  operation text,
  state text not null check (state in ('running', 'done', 'declined')),
  since date,
  channels text[] not null default '{}',
  groups boolean not null default false,
  fresh boolean not null default false,
  done integer not null default 0,
  total integer,
  counts jsonb not null default '{}',
  created_at timestamptz(3) not null,
  started_at timestamptz(3),
  ended_at timestamptz(3));
create unique index archives_running on archives (workspace) where state = 'running';
create index archives_newest on archives (workspace, created_at desc, id desc);

-- Each channel of a parse has a cursor of its own, so that one that cannot be read holds up no other.
create table archive_channels (
  archive text not null references archives on delete cascade,
  channel text not null,
  position integer not null,
  cursor text not null default '',
  -- How much there is; null until it has been counted.
  total integer,
  ended boolean not null default false,
  problem text,
  primary key (archive, channel));
`
