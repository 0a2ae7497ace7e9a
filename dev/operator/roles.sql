-- The two roles of a database of Postroom: postroom_owner owns the schema and migrates it, postroom_app reads and writes
-- rows and owns nothing (api, worker and the operator's commands connect as it; `npm run migrate` gives it its rights).
-- A superuser runs this inside the database, after setting postroom.owner_password and postroom.app_password. Repeating it
-- changes nothing, and tables that somebody else made come to the owner.

do $$
declare
  thing text;
begin
  if not exists (select from pg_roles where rolname = 'postroom_owner') then create role postroom_owner; end if;
  if not exists (select from pg_roles where rolname = 'postroom_app') then create role postroom_app; end if;
  execute format(
    'alter role postroom_owner login nosuperuser nobypassrls nocreatedb nocreaterole noreplication password %L',
    current_setting('postroom.owner_password'));
  execute format(
    'alter role postroom_app login nosuperuser nobypassrls nocreatedb nocreaterole noreplication password %L',
    current_setting('postroom.app_password'));

  execute format('alter database %I owner to postroom_owner', current_database());
  execute format('revoke temporary on database %I from public', current_database());
  alter schema public owner to postroom_owner;
  revoke create on schema public from public;

  -- What belongs to a table, such as its indexes and the sequence of its identity, follows it.
  for thing in
    select oid::regclass::text from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relowner <> 'postroom_owner'::regrole
  loop
    execute format('alter table %s owner to postroom_owner', thing);
  end loop;
end
$$;
