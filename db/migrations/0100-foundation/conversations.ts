import { attempts } from './letter.ts'

/** Conversations with everything that belongs to them, and the rules that give them an owner. */
export const conversations = `
create table labels (
  id text primary key,
  workspace text not null references workspaces,
  name text not null);
create unique index labels_by_name on labels (workspace, lower(name));

create table conversations (
  id text primary key,
  workspace text not null references workspaces,
  person text not null references people,
  connection text references connections,
  kind text not null,
  subject text not null default '',
  state text not null default 'open' check (state in ('open', 'snoozed', 'closed')),
  last_message_at timestamptz(3) not null,
  waiting_since timestamptz(3) not null,
  waiting_for text not null default 'us' check (waiting_for in ('us', 'client')),
  importance text not null default 'normal',
  intent text not null default 'other',
  owner text references members,
  snooze_until timestamptz(3),
  snooze_version integer not null default 0,
  snooze_operation text,
  why text,
  reason text,
  met boolean not null default false,
  folder text references folders,
  updated_at timestamptz(3) not null default '-infinity') with (autovacuum_vacuum_scale_factor = 0.05);
-- A page of a list is read from the index of its filter, in order (db/conversations/list.ts).
create index conversations_newest on conversations (workspace, last_message_at desc, id desc);
create index conversations_listed on conversations (workspace, kind, state, last_message_at desc, id desc);
create index conversations_of_owner
  on conversations (workspace, coalesce(owner, ''), kind, state, last_message_at desc, id desc);
create index conversations_of_person on conversations (person, state, last_message_at desc, id desc);
create index conversations_in_folder on conversations (folder) where folder is not null;
create index conversations_by_change on conversations (workspace, updated_at, id);
create index conversations_snoozed on conversations (workspace, snooze_until, id) where state = 'snoozed';
-- In the order of ids, which never change: a conversation that gets a message meanwhile is neither missed nor visited twice.
create index conversations_unowned on conversations (workspace, id) where owner is null;

create table conversation_labels (
  conversation text not null references conversations on delete cascade,
  label text not null references labels on delete cascade,
  primary key (conversation, label));
create index conversation_labels_in_order on conversation_labels (label, conversation);

create table notes (
  id text primary key,
  conversation text not null references conversations on delete cascade,
  text text not null,
  author text not null references members,
  at timestamptz(3) not null);
create index notes_by_conversation on notes (conversation, at, id);

-- Inbound messages, and outbound ones from the moment they are queued. An outbound one is written four times, each time with other
-- entries in the indexes, so room in its page would help nothing.
create table messages (
  id text primary key,
  seq bigint generated always as identity,
  workspace text not null references workspaces,
  conversation text not null references conversations on delete cascade,
  connection text references connections,
  direction text not null check (direction in ('inbound', 'outbound')),
  at timestamptz(3) not null,

  -- What was said, by whom and to whom.
  sender_name text not null default '',
  sender_handle text not null default '',
  to_address text not null default '',
  to_addresses text[],
  cc text[] not null default '{}',
  bcc text[] not null default '{}',
  reply_to jsonb,
  -- The address of ours through which a group or a form sent it.
  via text,
  subject text not null default '',
  text text not null default '',
  html text,
  automated boolean not null default false,
  agent text references agents,
  voice text,
  touch text,

  -- What it is known by, and what it refers to. external_id is the other side's id: the Message-ID of mail, or a bridge's own.
  message_id text,
  external_id text,
  in_reply_to text,
  refers_to text[],
  replies_to text,
  dated timestamptz(3),
  -- Where it lies in its mailbox; null of one that came another way.
  folder text,
  archive text,
  -- The account's own server says that it is not from its stated sender.
  suspect boolean not null default false,
  report jsonb,
  invitation jsonb,
  calendar jsonb,

  -- How it goes. The messages of a conversation go in the order of due_at and seq.
  state text not null check (state in ('received', 'queued', 'sending', 'sent', 'failed', 'cancelled')),
  reason text,
  operation text,
  send_at timestamptz(3),
  due_at timestamptz(3),
  next_try_at timestamptz(3),
  ${attempts},
  late_by_seconds integer,
  -- What stood in its header when it was handed over, so that its copy in Sent is the same byte for byte.
  head jsonb,
  refused jsonb,
  -- It is in the account's Sent folder, or need not be.
  filed boolean not null default false,
  code text,
  said text,
  again text) with (autovacuum_vacuum_scale_factor = 0.05);
create index messages_newest on messages (conversation, at desc, id desc);
-- Who is answered is found at once where thousands of our messages have followed.
create index messages_heard on messages (conversation, at desc, id desc) where direction = 'inbound' and not suspect;
-- What goes next in a conversation, what goes before others in the workspace, and what operators are alerted to. The last two
-- cost nothing, because few messages are in them.
create index messages_to_go on messages (conversation, due_at, seq) where state in ('queued', 'sending');
create index messages_scheduled on messages (workspace, due_at, seq)
  where state in ('queued', 'sending') and send_at is not null;
create index messages_unconfirmed on messages (id) where state = 'sending' and reason = 'unconfirmed';
-- What a mail that comes in, or a report, refers to and is referred to by.
create index messages_by_message_id on messages (workspace, message_id);
create index messages_by_in_reply_to on messages (workspace, in_reply_to) where in_reply_to is not null;
-- A message that came in twice is stored once.
create unique index messages_inbound_once on messages (connection, external_id)
  where direction = 'inbound' and external_id is not null;
create index messages_outbound_external on messages (connection, external_id)
  where direction = 'outbound' and external_id is not null;
-- What came in since a campaign began, and from whom; what came in and went out on a day.
create index messages_received on messages (workspace, at) where direction = 'inbound';
create index messages_inbound_of_handle on messages (workspace, lower(sender_handle), at) where direction = 'inbound';
create index messages_sent on messages (workspace, sent_at) where direction = 'outbound' and state = 'sent';
-- Of an account: letters whose copies are not in its Sent folder yet, its history from the first on, which its sending record reads
-- too, and reports.
create index messages_to_file on messages (connection, sent_at)
  where direction = 'outbound' and state = 'sent' and not filed;
create index messages_history on messages (connection, at, id) where state in ('received', 'sent', 'failed');
create index messages_reports on messages (connection, at) where report is not null;
-- Versions of one client's invitation.
create index messages_inviting on messages (connection, (invitation ->> 'uid')) where invitation is not null;

-- A file may be here before the message that takes it. It is read in pieces: a compressed value would be unpacked as a whole for
-- each of them.
create table files (
  id text primary key,
  -- The order of the files in a message: ids made in the same millisecond do not give one.
  seq bigint generated always as identity,
  workspace text not null references workspaces,
  message text references messages on delete cascade,
  name text not null,
  type text not null,
  size integer not null,
  content bytea not null,
  cid text,
  uploaded_at timestamptz);
alter table files alter column content set storage external;
create index files_by_message on files (message);
create index files_untaken on files (workspace, uploaded_at) where message is null;

-- What members ask agents to do. A task without a due time is an instruction, which is given to the agent for later letters and
-- tasks.
create table tasks (
  id text primary key,
  seq bigint generated always as identity,
  workspace text not null references workspaces,
  conversation text not null references conversations on delete cascade,
  text text not null,
  due timestamptz(3),
  state text not null default 'queued' check (state in ('queued', 'done', 'failed', 'cancelled')),
  reason text,
  member text not null references members,
  operation text not null,
  key text not null,
  agent text references agents,
  message text references messages,
  -- What the agent was given, and what it made of it.
  told jsonb,
  did text,
  created_at timestamptz(3) not null,
  ended_at timestamptz(3));
create index tasks_by_conversation on tasks (conversation, seq);

-- The switch of a workspace, and the row whose lock keeps two reorderings of its rules apart.
create table routing (
  workspace text primary key references workspaces,
  enabled boolean not null default false);

-- Deferrable: one statement gives every rule its new position.
create table routing_rules (
  id text primary key,
  workspace text not null references workspaces,
  position integer not null,
  field text not null check (field in ('label', 'side', 'product', 'sender', 'company', 'agent')),
  value text not null,
  member text not null references members,
  created_at timestamptz(3) not null,
  unique (workspace, position) deferrable initially immediate);

-- One call that assigns conversations to owners: its progress, and its caller for the audit lines. The operation is written after
-- it.
create table routing_batches (
  operation text primary key references operations on delete cascade deferrable initially deferred,
  workspace text not null references workspaces,
  rule text,
  since timestamptz(3),
  cursor text not null default '',
  seen integer not null default 0,
  handed integer not null default 0,
  handed_to jsonb not null default '{}',
  member text not null,
  client_id text not null,
  client_name text not null);
`
