import { type Kysely, sql } from 'kysely'

// Ids under which providers send our letters on, what makes two mails with one Message-ID two, and letters that are sent anew.

const tables = ['messages', 'touches']

export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db)
  await run(`create table letter_ids (
    workspace text not null references workspaces,
    connection text not null references connections,
    id text not null,
    message_id text not null,
    at timestamptz(3) not null,
    primary key (workspace, id, connection))`)
  await run('create index letter_ids_of_letter on letter_ids (workspace, message_id)')
  await run('alter table messages add column dated timestamptz(3)')
  for (const table of tables) {
    await run(`alter table ${table} add column said text`)
    await run(`alter table ${table} add column again text`)
  }
  // A letter that was sent anew gives up its place, and keeps it as a negative number.
  await run('alter table touches drop constraint touches_place_check')
}

export async function down(db: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db)
  await run('drop table letter_ids')
  await run('alter table messages drop column dated')
  for (const table of tables) await run(`alter table ${table} drop column said, drop column again`)
}
