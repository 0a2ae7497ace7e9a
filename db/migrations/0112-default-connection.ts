import { type Kysely, sql } from 'kysely'

// The account that a member writes through where several fit. It has no foreign key: it counts while the account is the member's.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table members add column if not exists default_connection text`.execute(db)
}
