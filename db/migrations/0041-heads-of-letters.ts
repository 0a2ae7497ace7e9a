import { type Kysely, sql } from 'kysely'

// What stood in the header of a letter when it was handed over, so that its copy in Sent is the same byte for byte.

const tables = ['messages', 'touches']

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of tables)
    await sql.raw(`alter table ${table} add column head jsonb`).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of tables) await sql.raw(`alter table ${table} drop column head`).execute(db)
}
