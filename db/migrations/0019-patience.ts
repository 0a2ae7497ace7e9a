import { type Kysely, sql } from 'kysely'

// The facts that handing letters over depends on: when each was first claimed and may be tried next, until when an attempt is
// known to be at work, and how long an account rests whose server does not answer.

const letters = ['touches', 'messages', 'invitations']
const goesAt = 'greatest(due_at, next_try_at)'

const steps = [
  ...letters.map(
    (table) =>
      `alter table ${table} add first_claimed_at timestamptz(3), add leased_until timestamptz(3)`,
  ),
  `alter table touches add next_try_at timestamptz(3)`,
  `alter table connections add unconfirmed_in_row int not null default 0, add rests_until timestamptz(3)`,
  // For letters that are already claimed, the time limit for tries counts from that claim.
  ...letters.map(
    (table) =>
      `update ${table} set first_claimed_at = claimed_at where state in ('queued', 'sending') and claimed_at is not null`,
  ),
  `drop index touches_next`,
  `create index touches_next on touches (campaign, place, coalesce(connection, ''), ${goesAt}, id) where state = 'queued'`,
  `drop index touches_agreed`,
  `create index touches_agreed on touches (campaign, place, coalesce(connection, ''), ${goesAt}, id)
    where state = 'queued' and agreed`,
  ...letters.map(
    (table) =>
      `create index ${table}_unconfirmed on ${table} (id) where state = 'sending' and reason = 'unconfirmed'`,
  ),
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const step of steps) await sql.raw(step).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of letters) await sql.raw(`drop index ${table}_unconfirmed`).execute(db)
  await sql.raw(`drop index touches_next`).execute(db)
  await sql.raw(`drop index touches_agreed`).execute(db)
  await sql
    .raw(
      `create index touches_agreed on touches (campaign, place, coalesce(connection, ''), due_at, id) where state = 'queued' and agreed`,
    )
    .execute(db)
  await sql
    .raw(
      `create index touches_next on touches (campaign, place, coalesce(connection, ''), due_at, id) where state = 'queued'`,
    )
    .execute(db)
  for (const table of letters)
    await sql.raw(`alter table ${table} drop first_claimed_at, drop leased_until`).execute(db)
  await sql.raw(`alter table touches drop next_try_at`).execute(db)
  await sql.raw(`alter table connections drop unconfirmed_in_row, drop rests_until`).execute(db)
}
