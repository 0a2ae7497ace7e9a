import { type Kysely, sql } from 'kysely'

// One workflow for each webhook sends its events; before, each delivery had a workflow of its own.

const statements = [
  // runner: whether a workflow exists and what it does; epoch identifies it and is raised by each start. woken_at is real time.
  // failures: first tries in a row that failed; until rests_until nothing is tried.
  `alter table webhooks
    add column runner text not null default 'none' check (runner in ('none', 'working', 'waiting', 'resting')),
    add column epoch integer not null default 0, add column woken_at timestamptz(3),
    add column failures integer not null default 0, add column rests_until timestamptz(3)`,
  `create index webhooks_with_runner on webhooks (id) where runner <> 'none'`,
  // When it was last requested, if that was not its creation: its three days count from then.
  `alter table deliveries add column since timestamptz(3)`,
  `create index deliveries_untried on deliveries (webhook, event) where state = 'queued' and next_try_at is null`,
  `create index deliveries_to_retry on deliveries (webhook, next_try_at)
    where state = 'queued' and next_try_at is not null`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    `drop index deliveries_to_retry`,
    `drop index deliveries_untried`,
    `alter table deliveries drop column since`,
    `drop index webhooks_with_runner`,
    `alter table webhooks drop column runner, drop column epoch, drop column woken_at,
      drop column failures, drop column rests_until`,
  ])
    await sql.raw(statement).execute(db)
}
