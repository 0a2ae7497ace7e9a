import { type Kysely, sql } from 'kysely'

// Several people may be reached by one phone number, such as that of their office; an e-mail or profile address belongs to one
// person. Also keeps what became of each row of an import, for as long as its operation is kept.

const steps = [
  'alter table addresses drop constraint addresses_pkey',
  'alter table addresses add primary key (workspace, kind, value, person)',
  `create unique index addresses_of_one on addresses (workspace, kind, value) where kind <> 'phone'`,

  `alter table imports add column mode text not null default 'complete' check (mode in ('complete', 'update'))`,
  `create table import_rows (
    operation text not null references operations on delete cascade,
    row integer not null,
    outcome text not null check (outcome in ('new', 'update', 'same', 'duplicate', 'invalid')),
    person text,
    joined integer,
    errors jsonb,
    primary key (operation, row))`,
  'create index import_rows_by_person on import_rows (operation, person)',
]

const back = [
  'drop table import_rows',
  'alter table imports drop column mode',
  'drop index addresses_of_one',
  `delete from addresses a using addresses b
    where a.workspace = b.workspace and a.kind = b.kind and a.value = b.value and a.person > b.person`,
  'alter table addresses drop constraint addresses_pkey',
  'alter table addresses add primary key (workspace, kind, value)',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const step of steps) await sql.raw(step).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const step of back) await sql.raw(step).execute(db)
}
