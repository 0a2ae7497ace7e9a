import { type Kysely, sql } from 'kysely'

// Commands are taken from the workspaces in turn, so that a workspace with many delays no other; within a workspace, urgent
// ones first.

const statements = [
  `alter table outbox add column workspace text not null default '',
    add column priority smallint not null default 2`,
  `update outbox set workspace = coalesce(attributes ->> 'Workspace',
      case when workflow_id like '%:%' then split_part(workflow_id, ':', 1) else '' end)
    where dispatched_at is null and dead_at is null`,
  `drop index outbox_to_go`,
  `create index outbox_to_go on outbox (workspace, priority, id) include (next_try_at)
    where dispatched_at is null and dead_at is null`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    `drop index outbox_to_go`,
    `create index outbox_to_go on outbox (next_try_at, id) where dispatched_at is null and dead_at is null`,
    `alter table outbox drop column workspace, drop column priority`,
  ])
    await sql.raw(statement).execute(db)
}
