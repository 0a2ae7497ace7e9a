-- The two roles of a Postroom database: postroom_owner owns the schema and migrates it; postroom_app reads and writes
-- rows and owns nothing (the API, the worker and the operator's commands connect as it; `npm run migrate` grants its rights).
-- A superuser runs this inside the database, after setting postroom.owner_password and postroom.app_password. Running it
-- again changes nothing, except that tables created by another role are given to postroom_owner.

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

  -- The indexes of a table and the sequence of its identity column follow it.
  for thing in
    select oid::regclass::text from pg_class
    where relnamespace = 'public'::regnamespace and relowner <> 'postroom_owner'::regrole
      and (relkind in ('r', 'p')
        or relkind = 'S' and not exists (select from pg_depend where objid = pg_class.oid and deptype in ('a', 'i')))
  loop
    execute format('alter table %s owner to postroom_owner', thing);
  end loop;
end
$$;
