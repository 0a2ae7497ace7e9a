/** People with their addresses, tags and own fields, deals between them, and imports of files with people. */
export const people = `
create table people (
  id text primary key,
  workspace text not null references workspaces,
  external_id text,
  name text not null default '',
  city text not null default '',
  job_title text not null default '',
  company text not null default '',
  fields jsonb not null default '{}',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Letters wait while held_why is not null; without held_until, until somebody releases them.
  held_why text,
  held_until timestamptz(3),
  -- When a report without proof last held letters, and when a member was last notified of one.
  doubted_at timestamptz(3),
  doubt_told_at timestamptz(3));
create index people_by_name on people (workspace, lower(name), id);
create index people_by_change on people (workspace, updated_at, id);
create unique index people_by_external_id on people (workspace, external_id) where external_id is not null;

-- value is the normalised form that matching uses, given the form that the card shows. Several people may be reached by one
-- phone number, such as that of their office; an e-mail or profile address belongs to one person.
create table addresses (
  workspace text not null references workspaces,
  kind text not null check (kind in ('email', 'phone', 'linkedin')),
  value text not null,
  given text not null,
  person text not null references people on delete cascade,
  position integer not null,
  primary key (workspace, kind, value, person));
create unique index addresses_of_one on addresses (workspace, kind, value) where kind <> 'phone';
create index addresses_by_person on addresses (person, kind, position);
-- Who asks for no more letters asks it for their mailbox, however its address is spelt.
-- The workspace comes last: an index that begins with it looks cheap for any address while Postgres has no statistics, and is read
-- from end to end.
create index addresses_by_mailbox on addresses (mailbox_of(value), workspace) where kind = 'email';

create table person_tags (
  person text not null references people on delete cascade,
  label text not null references products,
  side text not null check (side in ('buyer', 'seller')),
  added_at timestamptz(3) not null,
  removed_at timestamptz(3),
  primary key (person, label, side));
create index person_tags_by_side on person_tags (label, side, person) where removed_at is null;

-- The fields of people once more, in the order of a list of people, so that a page of those with a value reads a page. A trigger
-- writes it, so that no statement can forget to; people without such fields cost nothing.
create table person_fields (
  workspace text not null references workspaces,
  person text not null references people on delete cascade,
  field text not null,
  value text not null,
  sort_name text not null,
  primary key (person, field));
create index person_fields_listed on person_fields (workspace, field, value, sort_name, person);

-- A key of an index holds 2,700 bytes, so a long value stands here as its hash.
create function field_key(value text) returns text language sql immutable as $$
    select case when octet_length(value) <= 200 then value
      else 'sha256 ' || encode(sha256(convert_to(value, 'UTF8')), 'hex') end $$;

create function fields_change() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' then delete from person_fields where person = new.id; end if;
      insert into person_fields (workspace, person, field, value, sort_name)
        select new.workspace, new.id, key, field_key(value), lower(new.name) from jsonb_each_text(new.fields);
      return null;
    end $$;
create trigger people_fields_come after insert on people for each row
  when (new.fields <> '{}') execute function fields_change();
create trigger people_fields_change after update of name, fields on people for each row
  when (new.fields is distinct from old.fields or (new.name <> old.name and new.fields <> '{}'))
  execute function fields_change();

create table deals (
  id text primary key,
  workspace text not null references workspaces,
  label text not null references products,
  seller text not null references people,
  buyer text not null references people,
  agent text not null references agents,
  stage text not null default 'new',
  created_at timestamptz(3) not null,
  closed_at timestamptz(3));
create index deals_newest on deals (workspace, created_at desc, id desc);
create index deals_open on deals (workspace, created_at desc, id desc) where closed_at is null;
create index deals_closed on deals (workspace, created_at desc, id desc) where closed_at is not null;

create table imports (
  id text primary key,
  workspace text not null references workspaces,
  operation text not null,
  name text not null,
  content bytea,
  columns jsonb not null,
  mode text not null default 'complete' check (mode in ('complete', 'update')),
  region text,
  headings integer,
  sheet text,
  cursor integer not null default 0,
  rows jsonb not null,
  errors jsonb not null default '[]',
  state text not null default 'running');

-- What became of each row of an import, for as long as its operation is kept.
create table import_rows (
  operation text not null references operations on delete cascade,
  row integer not null,
  outcome text not null check (outcome in ('new', 'update', 'same', 'duplicate', 'invalid')),
  person text,
  joined integer,
  errors jsonb,
  primary key (operation, row));
create index import_rows_by_person on import_rows (operation, person);
`
