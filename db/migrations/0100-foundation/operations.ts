/** Operations, the commands to Temporal that they cause, and the processes that carry them out. Real time. */
export const operations = `
-- Of the three writes of an operation, that of its beginning touches no index, if there is room in its page.
create table operations (
  id text primary key,
  workspace text not null references workspaces,
  key text not null,
  kind text not null,
  fingerprint text not null,
  -- A confidential answer is repeated only to the token that asked for it.
  token text,
  -- The call had no key: nobody can repeat it, and its answer is not kept.
  keyless boolean not null default false,
  workflow_type text,
  owner_run text,
  run_id text,
  state text not null check (state in ('accepted', 'running', 'waiting', 'done', 'failed', 'cancelled')),
  awaited boolean not null default false,
  answer_status integer,
  answer_body text,
  result jsonb,
  progress_done integer,
  progress_total integer,
  waiting_for text,
  waiting_until timestamptz(3),
  resource text,
  accepted_at timestamptz not null,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  last_used_at timestamptz not null) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05);
-- Upkeep looks at those that are open, and deletes those that ended long ago; alarms count those that only an operator can
-- continue.
create index operations_to_sweep on operations (id) include (accepted_at, waiting_until)
  where workflow_type is not null and ended_at is null;
create index operations_orphaned on operations (id) where waiting_for = 'restart' and ended_at is null;
create index operations_ended on operations (keyless, last_used_at) where ended_at is not null;

create table outbox (
  id bigint generated always as identity primary key,
  operation text,
  kind text not null check (kind in ('start', 'signal')),
  workspace text not null default '',
  priority smallint not null default 2,
  workflow_type text,
  workflow_id text not null,
  signal text,
  args jsonb not null,
  attributes jsonb not null default '{}',
  restart boolean not null default false,
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  next_try_at timestamptz not null default now(),
  dispatched_at timestamptz,
  -- A command that Temporal refuses is given up an hour after the first refusal.
  refused_at timestamptz(3),
  dead_at timestamptz,
  problem text) with (autovacuum_vacuum_scale_factor = 0.02);
-- Commands are taken from the workspaces in turn, so that a workspace with many delays no other; within a workspace, urgent ones
-- first.
create index outbox_to_go on outbox (workspace, priority, id) include (next_try_at)
  where dispatched_at is null and dead_at is null;
-- Whether an operation's start still waits; what was given up; what is old enough to delete.
create index outbox_by_operation on outbox (operation) where operation is not null;
create index outbox_dead on outbox (id) where dead_at is not null;
create index outbox_done on outbox (dispatched_at) where dispatched_at is not null;

-- Until when a relay looks for commands by itself, so that nobody has to tell it: one row. Unlogged, because a restart of
-- Postgres ends it, and relays poll in any case.
create unlogged table outbox_looks (
  one boolean primary key check (one),
  until timestamptz(3) not null);

create table workers (
  id text primary key,
  version text not null,
  started_at timestamptz(3) not null default clock_timestamp(),
  seen_at timestamptz(3) not null default clock_timestamp(),
  reads boolean not null default false);

create table process_starts (
  process text not null,
  at timestamptz(3) not null default clock_timestamp());
`
