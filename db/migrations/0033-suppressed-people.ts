import { type Kysely, sql } from 'kysely'

// People are shown with those of their addresses that must not be written to, so a suppression that comes or goes changes them
// too (0023-changes.ts).

const steps = [
  `create function suppression_changes() returns trigger language plpgsql as $$
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
    end $$`,
  `create trigger suppressions_come after insert on suppressions referencing new table as come
    for each statement execute function suppression_changes()`,
  `create trigger suppressions_go after delete on suppressions referencing old table as gone
    for each statement execute function suppression_changes()`,
]

const back = [
  'drop trigger suppressions_go on suppressions',
  'drop trigger suppressions_come on suppressions',
  'drop function suppression_changes()',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const step of steps) await sql.raw(step).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const step of back) await sql.raw(step).execute(db)
}
