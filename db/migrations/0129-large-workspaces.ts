import { type Kysely, sql } from 'kysely'

// Postgres keeps one plan of a statement for all workspaces, and makes it for one of average size. Among a thousand workspaces an
// average one is small: reading all of it seems cheaper than looking up a few rows by their ids, and a workspace with a million rows
// is then read whole for each of its calls. So these tables are said to have few workspaces: what is cheap for a large one is so for a small
// one too.
const tables = ['conversations', 'messages', 'people', 'search_words', 'touches']
const values = 50

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of tables)
    await sql
      .raw(`alter table ${table} alter column workspace set (n_distinct = ${values})`)
      .execute(db)
}

/** The statistics that say so, a table at a time: by itself, Postgres makes new ones after a tenth of a table has changed. */
export async function backfill(trx: Kysely<unknown>, after: string): Promise<string | undefined> {
  const next = tables.find((table) => table > after)
  if (next === undefined) return undefined
  const { rows } = await sql`select from ${sql.table(next)} limit 1`.execute(trx)
  // Of an empty table, statistics would say that it stays so.
  if (rows.length > 0) await sql`analyze ${sql.table(next)}`.execute(trx)
  return next
}
