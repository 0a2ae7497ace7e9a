import { type Kysely, sql } from 'kysely'

// Campaigns that write through one account take turns: each books the next moment at which the account is free. The runner's
// own letters have no workflow, so the letters that are being sent are found without one.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table account_turns (
    connection text not null references connections (id) on delete cascade,
    campaign text not null references campaigns (id) on delete cascade,
    at timestamptz not null,
    primary key (connection, campaign))`.execute(db)
  await sql`create index account_turns_by_campaign on account_turns (campaign)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table account_turns`.execute(db)
}
