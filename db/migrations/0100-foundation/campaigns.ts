import { attempts } from './letter.ts'

/** Campaigns and their letters. */
export const campaigns = `
create table campaigns (
  id text primary key,
  workspace text not null references workspaces,
  name text not null,
  goal text not null default '',
  kind text not null default 'outreach',
  state text not null default 'draft' check (state in ('draft', 'running', 'paused', 'done')),
  segment text references segments,
  agent text references agents,
  senders text[] not null default '{}',
  add_rules text[] not null default '{}',
  materials jsonb not null default '[]',
  run_epoch integer not null default 0,
  -- Raised by every edit of what letters are written from: an agreement holds for the version it was given to.
  brief_version integer not null default 0,
  runner text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  started_at timestamptz(3));

create table campaign_letters (
  campaign text not null references campaigns on delete cascade,
  place integer not null check (place in (1, 2, 3)),
  subject text not null,
  text text not null,
  agreed boolean not null default false,
  written_at timestamptz(3) not null,
  brief integer not null default 0,
  primary key (campaign, place));

create table campaign_templates (
  campaign text not null references campaigns on delete cascade,
  place integer not null check (place in (1, 2, 3)),
  variant text not null check (variant in ('a', 'b', 'c', 'd')),
  weight integer not null,
  subject text not null,
  text text not null,
  html text,
  primary key (campaign, place, variant));

-- A test of a letter goes to a member: it is no letter of the campaign. The operation is written after it.
create table letter_tests (
  operation text primary key references operations on delete cascade deferrable initially deferred,
  workspace text not null references workspaces,
  campaign text not null references campaigns on delete cascade,
  place integer not null,
  person text not null,
  to_address text not null,
  state text not null default 'queued' check (state in ('queued', 'sending', 'sent', 'failed', 'unconfirmed')),
  code text);
create index letter_tests_by_campaign on letter_tests (campaign);

create table touches (
  id text primary key,
  workspace text not null references workspaces,
  campaign text not null references campaigns,
  person text not null references people,
  -- 1, 2 or 3. A letter that was sent again gives up its place, and keeps it as a negative number.
  place integer not null,
  created_at timestamptz(3) not null,

  -- What it says.
  to_address text,
  subject text,
  text text,
  html text,
  variant text,
  -- The fixed words that are added to it follow its language, and it goes through an account of the member who signs it.
  language text,
  signed_by text,
  written_at timestamptz(3),
  -- The version of the campaign's brief that it was written from: a letter of an earlier one in review is written again.
  brief integer,
  agreed boolean not null default false,
  -- Somebody wrote it for its person.
  own_words boolean not null default false,
  missing text[],
  token text unique,

  -- How it goes.
  state text not null check (state in ('queued', 'review', 'sending', 'sent', 'failed')),
  reason text,
  due_at timestamptz(3) not null,
  -- When a held letter would have gone.
  held_from timestamptz(3),
  next_try_at timestamptz(3),
  connection text references connections,
  conversation text references conversations,
  message text references messages,
  message_id text,
  epoch integer,
  workflow text,
  ${attempts},
  -- What stood in its header when it was handed over, so that its copy in Sent is the same byte for byte.
  head jsonb,
  code text,
  said text,
  again text,
  unique (campaign, person, place)) with (autovacuum_vacuum_scale_factor = 0.05);
-- Which letter goes next: equality on every column before the instant, so that the planner can use the order of the index; with
-- "is null" it cannot.
create index touches_next on touches (campaign, place, coalesce(connection, ''), greatest(due_at, next_try_at), id)
  where state = 'queued';
create index touches_agreed on touches (campaign, place, coalesce(connection, ''), greatest(due_at, next_try_at), id)
  where state = 'queued' and agreed;
-- The queue and log, all of it and by state; planning, ending and counting go by state too.
create index touches_listed on touches (campaign, due_at, id);
create index touches_by_state on touches (campaign, state, due_at, id);
-- The people of a campaign by what became of its letters: the expression is that of db/campaigns/says.ts.
create index touches_say on touches (campaign, (case when state = 'sent' then 'sent'
  when state in ('queued', 'review') and held_from is not null then 'held'
  when state <> 'failed' then 'waiting'
  when reason in ('bounced', 'unsubscribed') then reason
  when reason in ('replied', 'done', 'skipped', 'left_segment') then 'ended'
  else 'failed' end), person, place);
-- What waits for a person, and whether they were written to on a day.
create index touches_by_person on touches (person, claimed_day);
-- While a letter is handed over, it is no message yet.
create index touches_by_message_id on touches (workspace, message_id) where state = 'sending';
-- What operators are alerted to, and what an account's sending record counts.
create index touches_unconfirmed on touches (id) where state = 'sending' and reason = 'unconfirmed';
create index touches_refused on touches (connection, first_claimed_at) where state = 'failed' and reason = 'refused';

-- Whatever has a waiting letter written again, such as an edit of its campaign or another account, leaves words as they are that
-- somebody wrote for its person. A trigger does it, so that no statement can forget to.
create function keep_own_words() returns trigger language plpgsql as $$
    begin
      new.subject := old.subject;
      new.text := old.text;
      new.html := old.html;
      new.written_at := old.written_at;
      new.brief := old.brief;
      new.agreed := old.agreed;
      -- They go through any account.
      new.signed_by := null;
      -- A letter without an address would be written again once there is one.
      if new.to_address is null then
        new.state := 'failed';
        new.reason := 'no_contact';
      end if;
      return new;
    end $$;
create trigger touches_own_words before update on touches for each row
  when (old.own_words and old.text is not null and new.text is null) execute function keep_own_words();

-- Campaigns that write through one account take turns: each books the next moment at which the account is free.
create table account_turns (
  connection text not null references connections on delete cascade,
  campaign text not null references campaigns on delete cascade,
  at timestamptz not null,
  primary key (connection, campaign));
create index account_turns_by_campaign on account_turns (campaign);
`
