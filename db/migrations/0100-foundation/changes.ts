const parts = ['addresses', 'person_tags', 'conversation_labels', 'notes', 'tasks']

/**
 * When a person or a conversation last changed in anything that a list shows, whoever changed it; updatedSince reads it
 * (db/events/changes.ts). Triggers write it, so that no statement can forget to. Before a trigger reads the clock, its transaction
 * takes a lock that names its moment: from these locks a reader sees from which moment on changes may not be committed yet.
 */
export const changes = `
-- The business clock, from the clock of the database's machine.
create function business_now() returns timestamptz language sql volatile as $$
    select clock_timestamp() + coalesce(
      (select (value ->> 'offsetMs')::float8 from settings where name = 'clock'), 0) * interval '1 millisecond' $$;

-- Quarters of a second since 2026: an int4 holds them for seventeen years.
create function moment_of(at timestamptz) returns integer language sql immutable as $$
    select floor((extract(epoch from at) - 1767225600) * 4)::integer $$;

create function now_changes(workspace text, at timestamptz) returns timestamptz language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(hashtext('changes ' || workspace), moment_of(clock_timestamp()));
      return greatest(at, business_now());
    end $$;

create function row_changes() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' or new is distinct from old then
        new.updated_at := now_changes(new.workspace, new.updated_at);
      end if;
      return new;
    end $$;
create trigger people_change before insert or update on people for each row execute function row_changes();
create trigger conversations_change before insert or update on conversations for each row execute function row_changes();

-- Whether a visible row was written by this transaction or one of its savepoints: while one is in progress, no other transaction
-- sees its rows. A row holds only the lower half of the id.
create function is_ours(writer xid) returns boolean language plpgsql volatile as $$
    declare
      mine bigint := pg_current_xact_id()::text::bigint;
      low bigint := writer::text::bigint;
      far bigint := low - (mine & 4294967295);
      id bigint := (mine - (mine & 4294967295)) + low
        + case when far > 2147483648 then -4294967296 when far < -2147483648 then 4294967296 else 0 end;
    begin
      -- Ours and those of our savepoints are never less. A row that was frozen long ago may seem to be of an id still to come.
      if id <= mine then return id = mine; end if;
      begin
        return pg_xact_status(id::text::xid8) is not distinct from 'in progress';
      exception when invalid_parameter_value then return false;
      end;
    end $$;

-- Rows that depend on a person or a conversation. One that has already changed in this transaction is not written again.
create function part_changes() returns trigger language plpgsql as $$
    declare
      owners text[];
    begin
      if tg_table_name not in ('addresses', 'person_tags') then
        if tg_op = 'DELETE' then select array_agg(distinct conversation) into owners from gone;
        else select array_agg(distinct conversation) into owners from come; end if;
        update conversations set updated_at = now_changes(workspace, updated_at)
          where id = any(owners) and not is_ours(xmin);
      else
        if tg_op = 'DELETE' then select array_agg(distinct person) into owners from gone;
        else select array_agg(distinct person) into owners from come; end if;
        update people set updated_at = now_changes(workspace, updated_at)
          where id = any(owners) and not is_ours(xmin);
      end if;
      return null;
    end $$;
${parts
  .map(
    (table) => `
create trigger ${table}_come after insert on ${table} referencing new table as come
  for each statement execute function part_changes();
create trigger ${table}_change after update on ${table} referencing new table as come
  for each statement execute function part_changes();
create trigger ${table}_go after delete on ${table} referencing old table as gone
  for each statement execute function part_changes();`,
  )
  .join('\n')}

-- People are shown with those of their addresses that must not be written to, so a suppression that comes or goes changes them
-- too.
create function suppression_changes() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        update people set updated_at = now_changes(workspace, updated_at)
          where not is_ours(xmin) and id in (select a.person from addresses a join gone s
            on a.workspace = s.workspace and a.kind in ('email', 'phone') and a.value = s.address);
      else
        update people set updated_at = now_changes(workspace, updated_at)
          where not is_ours(xmin) and id in (select a.person from addresses a join come s
            on a.workspace = s.workspace and a.kind in ('email', 'phone') and a.value = s.address);
      end if;
      return null;
    end $$;
create trigger suppressions_come after insert on suppressions referencing new table as come
  for each statement execute function suppression_changes();
create trigger suppressions_go after delete on suppressions referencing old table as gone
  for each statement execute function suppression_changes();
`
