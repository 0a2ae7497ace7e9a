import { type Kysely, sql } from 'kysely'

// Until when a try to log in to a mailbox is under way, at the latest: how many are at once is counted in all processes.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table verifications add column if not exists tried_until timestamptz`.execute(db)
}

export const indexes = [
  {
    name: 'verifications_under_way',
    on: 'verifications (workspace) where tried_until is not null and outcome is null',
  },
]
