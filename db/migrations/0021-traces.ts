import { type Kysely, sql } from 'kysely'

// What operators are shown: which workers are alive, and since when an account cannot be opened.

const steps = [
  // Real time.
  `create table workers (
    id text primary key,
    version text not null,
    started_at timestamptz(3) not null default clock_timestamp(),
    seen_at timestamptz(3) not null default clock_timestamp())`,
  // Of the business clock, like checked_at. Where told_at is not null, the member was notified of the problem that began at
  // problem_since.
  `alter table connections add column problem_since timestamptz(3), add column told_at timestamptz(3)`,
  `alter table mailbox_readers add column problem_since timestamptz(3), add column told_at timestamptz(3)`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const step of steps) await sql.raw(step).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('drop table workers').execute(db)
  for (const table of ['connections', 'mailbox_readers'])
    await sql.raw(`alter table ${table} drop column problem_since, drop column told_at`).execute(db)
}
