import { type Kysely, sql } from 'kysely'

// A command that Temporal refuses is given up an hour after the first refusal. What operators are alerted to, and what upkeep
// visits, is found without walking through whole tables.

const steps = [
  // Real time.
  `alter table outbox add column refused_at timestamptz(3)`,
  `create index operations_orphaned on operations (id) where waiting_for = 'restart' and ended_at is null`,
  `create index operations_to_sweep on operations (id) include (accepted_at, waiting_until)
    where workflow_type is not null and ended_at is null`,
  `create index operations_ended on operations (last_used_at) where ended_at is not null`,
  `create index operations_keyless on operations (last_used_at) where keyless and ended_at is not null`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const step of steps) await sql.raw(step).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const index of [
    'operations_keyless',
    'operations_ended',
    'operations_to_sweep',
    'operations_orphaned',
  ])
    await sql.raw(`drop index ${index}`).execute(db)
  await sql.raw('alter table outbox drop column refused_at').execute(db)
}
