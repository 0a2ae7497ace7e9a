/** Segments, their members, and the search for more people. Filters are json and not jsonb, because they are returned as given. */
export const segments = `
create table segments (
  id text primary key,
  workspace text not null references workspaces,
  name text not null,
  query text not null,
  rules jsonb not null,
  version integer not null default 1,
  refill boolean not null default false,
  saved boolean not null default false,
  -- The last find, which the next one uses if it is given nothing else.
  found_channel text,
  found_filters json,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null);

-- A verdict of the judging rules, or a person added by hand, who stays a member whatever the rules say.
create table segment_people (
  segment text not null references segments on delete cascade,
  person text not null references people on delete cascade,
  by_hand boolean not null default false,
  -- No verdict makes them a member again; only adding them by hand does.
  taken_out boolean not null default false,
  matches boolean not null,
  reason text not null default '',
  version integer not null,
  at timestamptz(3) not null,
  primary key (segment, person));
create index segment_people_members on segment_people (segment, person) where matches or by_hand;

-- A walk through the results of a search. The cursor moves in the transaction that adds the people before it; step counts the
-- moves.
create table find_runs (
  id text primary key,
  segment text not null references segments on delete cascade,
  channel text not null check (channel in ('email', 'professional_network')),
  filters json,
  total integer,
  cursor text,
  step integer not null default 0,
  seen integer not null default 0,
  ended boolean not null default false,
  created_at timestamptz(3) not null);
create index find_runs_by_segment on find_runs (segment);

-- The input of one call, and its progress. The words stay here, because the inputs of workflows hold only ids. An operation is
-- written last in the transaction of its call, so references to it are checked when the transaction commits.
create table finds (
  operation text primary key references operations on delete cascade deferrable initially deferred,
  segment text not null references segments on delete cascade,
  channel text not null,
  words text,
  filters json,
  run text references find_runs on delete cascade,
  want integer not null default 0,
  added integer not null default 0,
  existing integer not null default 0);
-- Both are followed when a segment is deleted.
create index finds_by_segment on finds (segment);
create index finds_by_run on finds (run);

-- People whom nobody has written to, of the workspace file: the finder that needs no server.
create table prospects (
  id text primary key,
  workspace text not null references workspaces,
  name text not null default '',
  email text not null default '',
  phone text not null default '',
  linkedin text not null default '',
  company text not null default '',
  city text not null default '',
  job_title text not null default '');
create index prospects_in_order on prospects (workspace, id);
`
