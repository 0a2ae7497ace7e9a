import { type Kysely, sql } from 'kysely'

// What is past the retention of its workspace loses its words and keeps its row: `removed_at` says when. `from_mail` marks a card that
// a mail alone has made, of a sender whom nobody knows. The index of words finds messages and notes by their age, so messages need
// no index for it, but for what is not in it: suspect messages, which are few, and letters of campaigns that never became one.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table messages
    add column if not exists removed_at timestamptz(3),
    add column if not exists files_removed integer not null default 0`.execute(db)
  await sql`alter table touches add column if not exists removed_at timestamptz(3)`.execute(db)
  await sql`alter table people add column if not exists from_mail boolean not null default false`.execute(
    db,
  )
}

export const indexes = [
  {
    name: 'messages_suspect',
    on: 'messages (workspace, at, id) where suspect and removed_at is null',
  },
  {
    name: 'touches_failed',
    on: "touches (workspace, due_at, id) where state = 'failed' and removed_at is null",
  },
  {
    name: 'people_from_mail',
    on: 'people (workspace, created_at, id) where from_mail and erased_at is null',
  },
  { name: 'search_words_with_files', on: 'search_words (workspace, at, ref) where files > 0' },
  // The answers that are kept for repeats, by what they are about.
  { name: 'operations_of_resource', on: 'operations (resource) where resource is not null' },
]
