import { type Kysely, sql } from 'kysely'

// What a letter has beside its text: HTML, further recipients and files. A file may be here before the message that takes it.

const steps = [
  `alter table messages
    add column html text,
    add column to_addresses text[],
    add column cc text[] not null default '{}',
    add column bcc text[] not null default '{}',
    add column refused jsonb,
    add column replies_to text`,
  'alter table files alter column message drop not null, add column cid text, add column uploaded_at timestamptz',
  'alter table touches add column html text, add column variant text',
]

const back = [
  'alter table touches drop column variant, drop column html',
  'delete from files where message is null',
  'alter table files drop column uploaded_at, drop column cid, alter column message set not null',
  `alter table messages drop column replies_to, drop column refused, drop column bcc, drop column cc,
    drop column to_addresses, drop column html`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const step of steps) await sql.raw(step).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const step of back) await sql.raw(step).execute(db)
}
