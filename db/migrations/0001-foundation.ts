import { type Kysely, sql } from 'kysely'

// One statement for each table: the workspace, its people, the correspondence, what is to be sent, and the bookkeeping that
// makes each call take effect once.

const tables = [
  `create table settings (name text primary key, value jsonb not null)`,

  `create table workspaces (
    id text primary key check (length(id) <= 64 and position(':' in id) = 0),
    name text not null,
    timezone text not null,
    tagging boolean not null default false,
    house_rules text not null default '',
    house_updated_at timestamptz(3) not null,
    billing jsonb)`,
  `create table members (
    id text primary key,
    workspace text not null references workspaces,
    name text not null, email text not null,
    job_title text not null default '', zone text not null default '', signature text not null default '')`,
  `create table tokens (
    id text primary key,
    hash bytea not null unique,
    workspace text not null references workspaces,
    member text not null references members,
    client_id text not null, client_name text not null,
    scopes text[] not null,
    created_at timestamptz(3) not null, expires_at timestamptz(3) not null,
    revoked_at timestamptz(3), last_used_at timestamptz(3))`,

  `create table connections (
    id text primary key,
    workspace text not null references workspaces,
    kind text not null, name text not null, account text not null,
    member text not null references members,
    limit_day integer not null, limit_week integer not null, gap_seconds integer not null,
    smtp jsonb, imap jsonb,
    secrets text,
    alive boolean not null default true, problem text, checked_at timestamptz(3),
    health text not null default 'unknown', signals jsonb not null default '[]',
    last_claim_at timestamptz(3))`,
  // One row for a connection and a day of the workspace's calendar; the week is the sum from Monday.
  `create table connection_usage (
    connection text not null references connections on delete cascade,
    day date not null,
    used integer not null check (used >= 0),
    primary key (connection, day))`,
  `create table folders (
    id text primary key,
    workspace text not null references workspaces,
    name text not null, connection text not null references connections)`,
  `create table products (
    id text primary key,
    workspace text not null references workspaces,
    name text not null, description text not null default '', side text not null default 'sell',
    goal text not null default 'demo', conditions jsonb not null default '[]', markets text[] not null default '{}')`,
  `create table companies (
    id text primary key,
    workspace text not null references workspaces,
    name text not null, pitch text not null default '', policy text not null default '',
    facts jsonb not null default '[]', markets text[] not null default '{}')`,
  `create table agents (
    id text primary key,
    workspace text not null references workspaces,
    name text not null, company text references companies,
    goal text not null default '', rules text not null default '', knowledge text not null default '',
    enabled boolean not null default true,
    labels text[] not null default '{}', channels text[] not null default '{}',
    hours jsonb not null)`,
  `create table prospects (
    id text primary key,
    workspace text not null references workspaces,
    name text not null default '', email text not null default '', phone text not null default '',
    linkedin text not null default '', company text not null default '', city text not null default '',
    job_title text not null default '')`,

  `create table people (
    id text primary key,
    workspace text not null references workspaces,
    name text not null default '', city text not null default '', job_title text not null default '',
    company text not null default '',
    created_at timestamptz(3) not null, updated_at timestamptz(3) not null)`,
  `create index people_by_name on people (workspace, lower(name), id)`,
  // value is the normalised form that matching uses, given the form that the card shows.
  `create table addresses (
    workspace text not null references workspaces,
    kind text not null check (kind in ('email', 'phone', 'linkedin')),
    value text not null, given text not null,
    person text not null references people on delete cascade,
    position integer not null,
    primary key (workspace, kind, value))`,
  `create index addresses_by_person on addresses (person, kind, position)`,
  `create table person_tags (
    person text not null references people on delete cascade,
    label text not null references products,
    side text not null check (side in ('buyer', 'seller')),
    added_at timestamptz(3) not null, removed_at timestamptz(3),
    primary key (person, label, side))`,
  `create table suppressions (
    workspace text not null references workspaces,
    address text not null,
    reason text not null check (reason in ('unsubscribe', 'complaint', 'bounce', 'operator')),
    at timestamptz(3) not null, touch text,
    primary key (workspace, address, reason))`,

  `create table labels (
    id text primary key,
    workspace text not null references workspaces,
    name text not null)`,
  `create unique index labels_by_name on labels (workspace, lower(name))`,
  `create table conversations (
    id text primary key,
    workspace text not null references workspaces,
    person text not null references people,
    connection text references connections,
    kind text not null, subject text not null default '',
    state text not null default 'open' check (state in ('open', 'snoozed', 'closed')),
    last_message_at timestamptz(3) not null,
    waiting_since timestamptz(3) not null,
    waiting_for text not null default 'us' check (waiting_for in ('us', 'client')),
    importance text not null default 'normal', intent text not null default 'other',
    owner text references members,
    snooze_until timestamptz(3), snooze_version integer not null default 0, snooze_operation text, why text,
    reason text, met boolean not null default false, folder text references folders)`,
  `create index conversations_newest on conversations (workspace, last_message_at desc, id desc)`,
  `create index conversations_by_person on conversations (person, connection)`,
  `create table conversation_labels (
    conversation text not null references conversations on delete cascade,
    label text not null references labels on delete cascade,
    primary key (conversation, label))`,
  `create table notes (
    id text primary key,
    conversation text not null references conversations on delete cascade,
    text text not null, author text not null references members, at timestamptz(3) not null)`,
  // Inbound messages, and outbound ones from the moment they are queued. due_at and seq give the order in which a
  // conversation's messages go.
  `create table messages (
    id text primary key,
    seq bigint generated always as identity,
    workspace text not null references workspaces,
    conversation text not null references conversations on delete cascade,
    direction text not null check (direction in ('inbound', 'outbound')),
    sender_name text not null default '', sender_handle text not null default '',
    to_address text not null default '',
    subject text not null default '', text text not null default '',
    at timestamptz(3) not null,
    automated boolean not null default false, agent text references agents, voice text,
    connection text references connections,
    state text not null check (state in ('received', 'queued', 'sending', 'sent', 'failed', 'cancelled')),
    reason text,
    send_at timestamptz(3), due_at timestamptz(3), next_try_at timestamptz(3),
    sent_at timestamptz(3), message_id text, in_reply_to text,
    attempt text, tries integer not null default 0, claimed_at timestamptz(3), claimed_day date,
    operation text, touch text,
    late_by_seconds integer)`,
  `create index messages_newest on messages (conversation, at desc, id desc)`,
  `create index messages_to_go on messages (conversation, due_at, seq) where state in ('queued', 'sending')`,
  `create index messages_by_message_id on messages (workspace, message_id)`,
  `create index messages_by_in_reply_to on messages (workspace, in_reply_to)`,
  `create index messages_inbound_newest on messages (workspace, at) where direction = 'inbound' and not automated`,
  `create index messages_inbound_of_handle on messages (workspace, lower(sender_handle), at) where direction = 'inbound'`,
  `create table files (
    id text primary key,
    workspace text not null references workspaces,
    message text not null references messages on delete cascade,
    name text not null, type text not null, size integer not null, content bytea not null)`,
  `create index files_by_message on files (message)`,
  `create table deals (
    id text primary key,
    workspace text not null references workspaces,
    label text not null references products,
    seller text not null references people, buyer text not null references people,
    agent text not null references agents,
    stage text not null default 'new',
    created_at timestamptz(3) not null, closed_at timestamptz(3))`,
  `create table notifications (
    id text primary key,
    workspace text not null references workspaces,
    member text not null references members,
    at timestamptz(3) not null, kind text not null, text text not null,
    conversation text, read_at timestamptz(3))`,

  `create table segments (
    id text primary key,
    workspace text not null references workspaces,
    name text not null, query text not null, rules jsonb not null,
    version integer not null default 1,
    refill boolean not null default false, saved boolean not null default false,
    created_at timestamptz(3) not null, updated_at timestamptz(3) not null)`,
  // A verdict of the judging rules, or a person added by hand (who stays a member whatever the rules say).
  `create table segment_people (
    segment text not null references segments on delete cascade,
    person text not null references people on delete cascade,
    by_hand boolean not null default false,
    matches boolean not null, reason text not null default '', version integer not null,
    at timestamptz(3) not null,
    primary key (segment, person))`,
  `create index segment_people_members on segment_people (segment, person) where matches or by_hand`,

  `create table campaigns (
    id text primary key,
    workspace text not null references workspaces,
    name text not null, goal text not null default '', kind text not null default 'outreach',
    state text not null default 'draft' check (state in ('draft', 'running', 'paused', 'done')),
    segment text references segments, agent text references agents,
    senders text[] not null default '{}',
    add_rules text[] not null default '{}', materials jsonb not null default '[]',
    run_epoch integer not null default 0, runner text,
    created_at timestamptz(3) not null, updated_at timestamptz(3) not null, started_at timestamptz(3))`,
  `create table campaign_letters (
    campaign text not null references campaigns on delete cascade,
    place integer not null check (place in (1, 2, 3)),
    subject text not null, text text not null,
    agreed boolean not null default false, written_at timestamptz(3) not null,
    primary key (campaign, place))`,
  `create table touches (
    id text primary key,
    workspace text not null references workspaces,
    campaign text not null references campaigns,
    person text not null references people,
    place integer not null check (place in (1, 2, 3)),
    state text not null check (state in ('queued', 'review', 'sending', 'sent', 'failed')),
    reason text,
    due_at timestamptz(3) not null, sent_at timestamptz(3),
    connection text references connections, conversation text references conversations,
    to_address text, subject text, text text, written_at timestamptz(3),
    message_id text, message text references messages, token text unique,
    attempt text, tries integer not null default 0, claimed_at timestamptz(3), claimed_day date,
    epoch integer, workflow text,
    created_at timestamptz(3) not null,
    unique (campaign, person, place))`,
  // Equality on every column before due_at, so that the planner can use the order of the index; with "is null" it cannot.
  `create index touches_next on touches (campaign, place, coalesce(connection, ''), due_at, id) where state = 'queued'`,
  `create index touches_listed on touches (campaign, due_at, id)`,
  `create index touches_by_state on touches (campaign, state, due_at, id)`,
  `create index touches_claimed_by_person on touches (person, claimed_day) where claimed_day is not null`,

  `create table imports (
    id text primary key,
    workspace text not null references workspaces,
    operation text not null,
    name text not null, content bytea, columns jsonb not null,
    cursor integer not null default 0,
    rows jsonb not null, errors jsonb not null default '[]',
    state text not null default 'running')`,

  `create table operations (
    id text primary key,
    workspace text not null references workspaces,
    key text not null,
    kind text not null,
    fingerprint text not null,
    workflow_type text,
    owner_run text, run_id text,
    state text not null check (state in ('accepted', 'running', 'waiting', 'done', 'failed', 'cancelled')),
    awaited boolean not null default false,
    answer_status integer, answer_body text,
    result jsonb, progress_done integer, progress_total integer,
    waiting_for text, waiting_until timestamptz(3),
    resource text,
    accepted_at timestamptz not null, started_at timestamptz(3), ended_at timestamptz(3),
    last_used_at timestamptz not null)`,
  `create index operations_open on operations (accepted_at) where workflow_type is not null and ended_at is null`,
  `create table outbox (
    id bigint generated always as identity primary key,
    operation text,
    kind text not null check (kind in ('start', 'signal')),
    workflow_type text, workflow_id text not null,
    signal text,
    args jsonb not null,
    attributes jsonb not null default '{}',
    restart boolean not null default false,
    created_at timestamptz not null default now(),
    attempts integer not null default 0, next_try_at timestamptz not null default now(),
    dispatched_at timestamptz, dead_at timestamptz, problem text)`,
  `create index outbox_to_go on outbox (next_try_at, id) where dispatched_at is null and dead_at is null`,
  `create index outbox_by_operation on outbox (operation)`,
  `create index outbox_dead on outbox (id) where dead_at is not null`,
  `create index outbox_done on outbox (dispatched_at) where dispatched_at is not null`,
  `create table audit (
    id text primary key,
    seq bigint generated always as identity,
    workspace text not null references workspaces,
    at timestamptz(3) not null,
    member text, client_id text, client_name text,
    action text not null, resource text not null,
    before jsonb, after jsonb, key text)`,
  `create index audit_newest on audit (workspace, at desc, id desc)`,
]

const dropped =
  `audit outbox operations imports touches campaign_letters campaigns segment_people segments notifications
  deals files messages notes conversation_labels conversations labels suppressions person_tags addresses people prospects
  agents companies products folders connection_usage connections tokens members workspaces settings`.split(
    /\s+/,
  )

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of tables) await sql.raw(statement).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of dropped) await sql.raw(`drop table ${table}`).execute(db)
}
