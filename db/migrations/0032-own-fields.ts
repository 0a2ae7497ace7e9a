import { type Kysely, sql } from 'kysely'

// People have an id of the client's own and fields of the client's own. The values stand once more in a table of their own, in
// the order of a list of people, so that a page of those with a value reads a page. A trigger writes it, so that no statement
// can forget to; people without such fields cost nothing.

const steps = [
  'alter table people add column external_id text',
  `alter table people add column fields jsonb not null default '{}'`,
  `create unique index people_by_external_id on people (workspace, external_id) where external_id is not null`,

  // A key of an index holds 2,700 bytes, so a long value stands here as its hash.
  `create function field_key(value text) returns text language sql immutable as $$
    select case when octet_length(value) <= 200 then value
      else 'sha256 ' || encode(sha256(convert_to(value, 'UTF8')), 'hex') end $$`,
  `create table person_fields (
    workspace text not null references workspaces,
    person text not null references people on delete cascade,
    field text not null,
    value text not null,
    sort_name text not null,
    primary key (person, field))`,
  `create index person_fields_listed on person_fields (workspace, field, value, sort_name, person)`,

  `create function fields_change() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' then delete from person_fields where person = new.id; end if;
      insert into person_fields (workspace, person, field, value, sort_name)
        select new.workspace, new.id, key, field_key(value), lower(new.name) from jsonb_each_text(new.fields);
      return null;
    end $$`,
  `create trigger people_fields_come after insert on people for each row
    when (new.fields <> '{}') execute function fields_change()`,
  `create trigger people_fields_change after update of name, fields on people for each row
    when (new.fields is distinct from old.fields or (new.name <> old.name and new.fields <> '{}'))
    execute function fields_change()`,
]

const back = [
  'drop trigger people_fields_change on people',
  'drop trigger people_fields_come on people',
  'drop function fields_change()',
  'drop table person_fields',
  'drop function field_key(text)',
  'drop index people_by_external_id',
  'alter table people drop column fields',
  'alter table people drop column external_id',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const step of steps) await sql.raw(step).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const step of back) await sql.raw(step).execute(db)
}
