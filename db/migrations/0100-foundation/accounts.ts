/** The accounts that send and receive, and the addresses that must not be written to. */
export const accounts = `
-- Each claim writes the account's row, and no index holds what it writes: half of each page is room for versions of its rows, so
-- that they stay in it and are cleared away at the next look (HOT), without a vacuum.
create table connections (
  id text primary key,
  workspace text not null references workspaces,
  kind text not null,
  name text not null,
  account text not null,
  member text not null references members,
  limit_day integer not null,
  limit_week integer not null,
  gap_seconds integer not null,
  smtp jsonb,
  imap jsonb,
  bridge jsonb,
  oauth jsonb,
  secrets text,
  -- The names under which the account's own server reports what it thinks of a mail (RFC 8601, 2.5); if empty, the learnt name
  -- counts.
  authserv text[] not null default '{}',
  alive boolean not null default true,
  health text not null default 'unknown',
  signals jsonb not null default '[]',
  checked_at timestamptz(3),
  last_claim_at timestamptz(3),

  -- By the business clock, like checked_at. Where told_at is not null, the member was notified of the problem.
  problem text,
  problem_since timestamptz(3),
  told_at timestamptz(3),
  -- An account that cannot be opened is tried by one letter at a time, ever more rarely. When that is next, and what is known of
  -- the last try, is stored here, so that all processes keep to it.
  retry_at timestamptz(3),
  retry jsonb,
  unconfirmed_in_row integer not null default 0,
  rests_until timestamptz(3),
  refused_in_row integer not null default 0,
  refused_code text,
  refused_to text,
  sessions_most integer,
  sessions_until timestamptz(3)) with (fillfactor = 50);

-- One row for a connection and a day of the workspace's calendar; the week is the sum from Monday. The row of today is written
-- with each letter, those of other days no more.
create table connection_usage (
  connection text not null references connections on delete cascade,
  day date not null,
  used integer not null check (used >= 0),
  primary key (connection, day)) with (fillfactor = 70);

-- An account rests because of what its server has said.
create table rests (
  account text not null references connections on delete cascade,
  server text not null check (server in ('smtp', 'imap')),
  cause text not null,
  -- Null as long as nobody has acted.
  until timestamptz(3),
  -- When one letter may try whether it is over; is_tried: one does.
  probe_at timestamptz(3) not null,
  is_tried boolean not null default false,
  since timestamptz(3) not null,
  tries integer not null,
  words text not null,
  told timestamptz(3),
  -- A rest that is over stays, with what its member was told.
  ended_at timestamptz(3),
  primary key (account, server));

-- The sessions of an account whose number is limited, of all processes. Real time.
create table session_places (
  account text not null references connections on delete cascade,
  place integer not null,
  holder text not null,
  until timestamptz not null,
  primary key (account, place));

-- The tokens of accounts that log in by OAuth 2.0. Real time.
create table logins (
  id text primary key references connections on delete cascade,
  workspace text not null references workspaces on delete cascade,
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
  replaced_at timestamptz);

-- The links with which the owners of accounts consent.
create table connect_tickets (
  id text primary key,
  workspace text not null references workspaces on delete cascade,
  connection text not null references connections on delete cascade,
  member text references members on delete cascade,
  client_id text,
  client_name text,
  expires_at timestamptz not null,
  used_at timestamptz,
  attempts integer not null default 0,
  state text unique,
  secrets text);

create table folders (
  id text primary key,
  workspace text not null references workspaces,
  name text not null,
  connection text not null references connections);

-- Which spellings of an address are one mailbox, by the providers' own rules: googlemail.com is gmail.com, where dots do not
-- matter; Proton ignores dots, hyphens and underlines; Yandex takes a dot for a hyphen. What stands behind a plus is a tag
-- anywhere (RFC 5233).
create function mailbox_of(address text) returns text
  language sql immutable strict parallel safe as $$
    select case
      when domain is null then lower(address)
      when domain in ('gmail.com', 'googlemail.com') then replace(local, '.', '') || '@gmail.com'
      when domain in ('proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me')
        then translate(local, '.-_', '') || '@proton.me'
      when domain in ('yandex.ru', 'yandex.com', 'yandex.by', 'yandex.kz', 'yandex.com.tr', 'yandex.uz', 'ya.ru', 'narod.ru')
        then replace(local, '.', '-') || '@yandex.ru'
      when domain in ('icloud.com', 'me.com', 'mac.com') then local || '@icloud.com'
      else local || '@' || domain end
    from (select coalesce(substring(lower(address) from '^([^+]+)[+].*@[^@]*$'), substring(lower(address) from '^(.*)@')) as local,
      substring(lower(address) from '@([^@]*)$') as domain) parts $$;

create table suppressions (
  id text not null unique default 'sup_' || replace(gen_random_uuid()::text, '-', ''),
  workspace text not null references workspaces,
  address text not null,
  reason text not null check (reason in ('unsubscribe', 'complaint', 'bounce', 'operator')),
  at timestamptz(3) not null,
  touch text,
  -- The message that proves the reason.
  evidence text,
  primary key (workspace, address, reason));
create index suppressions_newest on suppressions (workspace, at desc, id desc);
create index suppressions_by_mailbox on suppressions (mailbox_of(address), workspace);
-- Metrics count the last hour of all workspaces. This index has no order, so that a list never walks through the rows of other
-- workspaces.
create index suppressions_recent on suppressions using brin (at);
`
