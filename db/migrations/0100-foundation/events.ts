/** Events and their deliveries to webhooks, the audit log, and notifications to members. */
export const events = `
-- Ids are assigned before the commit, so they commit out of order; the transaction's own id says when everything before a row can
-- be read (db/events/events.ts). recorded_at is real time: how long a row is kept does not depend on the business clock.
create table events (
  id bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  workspace text not null references workspaces,
  kind text not null,
  at timestamptz(3) not null,
  resource text not null,
  data jsonb not null default '{}',
  recorded_at timestamptz not null default now());
create index events_in_order on events (workspace, xid, id);
create index events_old on events (recorded_at);

create table webhooks (
  id text primary key,
  workspace text not null references workspaces,
  member text not null references members,
  url text not null,
  -- Empty means all.
  kinds text[] not null default '{}',
  enabled boolean not null default true,
  problem text,
  -- Sealed: the current secret and, for a day after a rotation, the one before it.
  secret text not null,
  previous_until timestamptz(3),
  failing_since timestamptz(3),
  -- Whether a workflow sends its events, and what it does; epoch identifies it and is raised by each start.
  runner text not null default 'none' check (runner in ('none', 'working', 'waiting', 'resting')),
  epoch integer not null default 0,
  woken_at timestamptz(3),
  -- First tries in a row that failed; until rests_until nothing is tried.
  failures integer not null default 0,
  rests_until timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null);
create index webhooks_enabled on webhooks (workspace) where enabled;

create table deliveries (
  id text primary key,
  webhook text not null references webhooks on delete cascade,
  event bigint not null references events on delete cascade,
  state text not null default 'queued' check (state in ('queued', 'delivered', 'failed')),
  -- Raised by each redelivery.
  round integer not null default 0,
  attempts integer not null default 0,
  status integer,
  problem text,
  created_at timestamptz(3) not null,
  -- When it was last requested, if that was not its creation: its three days count from then.
  since timestamptz(3),
  tried_at timestamptz(3),
  next_try_at timestamptz(3),
  unique (webhook, event)) with (autovacuum_vacuum_scale_factor = 0.05);
create index deliveries_newest on deliveries (webhook, created_at desc, id desc);
-- An event that is deleted takes its deliveries with it.
create index deliveries_by_event on deliveries (event);
create index deliveries_untried on deliveries (webhook, event) where state = 'queued' and next_try_at is null;
create index deliveries_to_retry on deliveries (webhook, next_try_at) where state = 'queued' and next_try_at is not null;

create table audit (
  id text primary key,
  seq bigint generated always as identity,
  workspace text not null references workspaces,
  at timestamptz(3) not null,
  member text,
  client_id text,
  client_name text,
  action text not null,
  resource text not null,
  before jsonb,
  after jsonb,
  key text);
create index audit_newest on audit (workspace, at desc, id desc);

create table notifications (
  id text primary key,
  workspace text not null references workspaces,
  member text not null references members,
  at timestamptz(3) not null,
  kind text not null,
  text text not null,
  conversation text,
  read_at timestamptz(3));
create index notifications_newest on notifications (member, at desc, id desc);
create index notifications_unread on notifications (member) where read_at is null;
`
