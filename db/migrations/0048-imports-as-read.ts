import { type Kysely, sql } from 'kysely'

// How a client says that the file of an import is to be read: the row of its headings, and the sheet of a workbook.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table imports add column headings int, add column sheet text').execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table imports drop column headings, drop column sheet').execute(db)
}
