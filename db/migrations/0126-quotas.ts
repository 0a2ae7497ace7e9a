import { type Kysely, sql } from 'kysely'

// What a workspace may have at once, and how many bytes it stores. The bytes are counted by the database itself, in the transaction
// that writes or removes them: so nothing that writes can forget it, a release that knows nothing of it included, and a mail, an
// erasure or a retention counts like a call. Each transaction adds a row of its own, so that two of them never wait for each other;
// the sum is what is stored (db/workspace/quotas.ts, which also folds many rows into one).
//
// `counted` is false in rows that were there before: they count from when the back-fill has come to them.

/** The tables that hold files and texts, each with the bytes of a row. */
const tables = {
  messages: (row: string) => `octet_length(${row}.text) + coalesce(octet_length(${row}.html), 0)`,
  files: (row: string) => `octet_length(${row}.content)`,
  touches: (row: string) =>
    `coalesce(octet_length(${row}.text), 0) + coalesce(octet_length(${row}.html), 0)`,
  imports: (row: string) => `coalesce(octet_length(${row}.content), 0)`,
}
type Table = keyof typeof tables
const columns: Record<Table, string> = {
  messages: 'text, html',
  files: 'content',
  touches: 'text, html',
  imports: 'content',
}

const counting = (table: Table) => {
  const size = tables[table]
  return `
    alter table ${table} add column counted boolean not null default false;
    alter table ${table} alter column counted set default true;
    create function ${table}_stored() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into stored_bytes (workspace, bytes) select workspace, sum(${size('come')}) from come
          group by workspace having sum(${size('come')}) > 0;
      elsif tg_op = 'DELETE' then
        insert into stored_bytes (workspace, bytes) select workspace, -sum(${size('gone')}) from gone where counted
          group by workspace having sum(${size('gone')}) > 0;
      else
        insert into stored_bytes (workspace, bytes) values (new.workspace, ${size('new')} - (${size('old')}));
      end if;
      return null;
    end $$;
    create trigger ${table}_stored_come after insert on ${table} referencing new table as come
      for each statement execute function ${table}_stored();
    create trigger ${table}_stored_go after delete on ${table} referencing old table as gone
      for each statement execute function ${table}_stored();
    create trigger ${table}_stored_change after update of ${columns[table]} on ${table} for each row
      when (new.counted and ${size('new')} <> ${size('old')}) execute function ${table}_stored();`
}

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    alter table workspaces add column if not exists quotas jsonb;
    -- It refers to no workspace, since each of its rows comes with one that does.
    create table stored_bytes (
      id bigint generated always as identity primary key,
      workspace text not null,
      bytes bigint not null);
    create index stored_bytes_of_workspace on stored_bytes (workspace);
    ${(Object.keys(tables) as Table[]).map(counting).join('\n')}`)
    .execute(db)
}

/** What a quota counts is found without the rest of the table. */
export const indexes = [
  { name: 'messages_queued', on: "messages (workspace) where state = 'queued'" },
  { name: 'campaigns_running', on: "campaigns (workspace) where state = 'running'" },
  { name: 'imports_open', on: "imports (workspace) where state = 'running'" },
]

const order = Object.keys(tables) as Table[]

/** Counts what was there before. Whoever writes or removes one of the rows meanwhile waits for the batch, and then finds it counted. */
export async function backfill(trx: Kysely<unknown>, after: string, most: number) {
  const [table = order[0] as Table, id = ''] = after.split(' ').filter(Boolean) as [Table?, string?]
  const { rows } = await sql<{ last: string | null }>`
    with batch as (select id from ${sql.table(table)} where id > ${id} order by id limit ${most} for update),
      told as (update ${sql.table(table)} one set counted = true from batch where one.id = batch.id and not one.counted
        returning one.workspace, ${sql.raw(tables[table]('one'))} as bytes),
      added as (insert into stored_bytes (workspace, bytes) select workspace, sum(bytes) from told
        group by workspace having sum(bytes) > 0)
    select max(id) as last from batch`.execute(trx)
  const last = rows[0]?.last
  if (last) return `${table} ${last}`
  const next = order[order.indexOf(table) + 1]
  return next && `${next} `
}
