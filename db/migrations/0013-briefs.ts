import { type Kysely, sql } from 'kysely'

// Which version of its campaign's brief a letter was written from, and whether its own text is agreed: an example of an earlier
// brief is no longer agreed, and a letter of an earlier brief in review is written again.

const statements = [
  `alter table campaign_letters add column brief integer not null default 0`,
  `update campaign_letters set brief = c.brief_version from campaigns c where c.id = campaign_letters.campaign`,
  `alter table touches add column brief integer, add column agreed boolean not null default false`,
  `update touches set brief = c.brief_version from campaigns c
    where c.id = touches.campaign and touches.state = 'review'`,
  `create index touches_agreed on touches (campaign, place, coalesce(connection, ''), due_at, id)
    where state = 'queued' and agreed`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index touches_agreed`.execute(db)
  await sql`alter table touches drop column brief, drop column agreed`.execute(db)
  await sql`alter table campaign_letters drop column brief`.execute(db)
}
