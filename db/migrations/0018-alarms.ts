import { type Kysely, sql } from 'kysely'

// What metrics count: suppressions of the last hour, and how often processes have started.

const steps = [
  `create index suppressions_at on suppressions (at)`,
  // Real time.
  `create table process_starts (
    process text not null,
    at timestamptz(3) not null default clock_timestamp())`,
  `create index process_starts_at on process_starts (at)`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const step of steps) await sql.raw(step).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('drop table process_starts').execute(db)
  await sql.raw('drop index if exists suppressions_at').execute(db)
}
