import { sql } from 'kysely'
import type { Db } from '../database.ts'

// Which workers live, by what they say of themselves every few seconds. Real time.

/** How often a worker says so. */
export const seenEveryMs = 5_000
/** One that has not said so for that long is away, or stands still. */
export const awayAfterSeconds = 20

/** Says that a worker is there; those that nobody has seen for a day are forgotten. */
export const noteSeen = (db: Db, worker: { id: string; version: string }) =>
  sql`with old as (delete from workers where seen_at < clock_timestamp() - interval '1 day' and id <> ${worker.id})
    insert into workers (id, version) values (${worker.id}, ${worker.version})
    on conflict (id) do update set seen_at = clock_timestamp()`.execute(db)

/** Says that one has ended in order. */
export const noteEnded = (db: Db, id: string) =>
  db.deleteFrom('workers').where('id', '=', id).execute()

/** How many workers live, and how many seconds ago one was seen last; null where none was in a day. */
export async function findWorkers(db: Db): Promise<{ alive: number; seenSeconds: number | null }> {
  const { rows } = await sql<{ alive: number; seenSeconds: number | null }>`
    select (count(*) filter (where seen_at > clock_timestamp() - ${awayAfterSeconds} * interval '1 second'))::int as alive,
      extract(epoch from clock_timestamp() - max(seen_at))::float8 as seen_seconds
    from workers`.execute(db)
  return rows[0] as (typeof rows)[number]
}
