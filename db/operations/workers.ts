import { sql } from 'kysely'
import type { Db } from '../database.ts'

// Which workers are alive, by the signs of life that they write every few seconds. Real time.

/** How often a worker writes its sign of life. */
export const seenEveryMs = 5_000
/** A worker that has written none for this long is gone, or stuck. */
export const awayAfterSeconds = 20

/** Writes the sign of life of a worker, and deletes workers that have given none for a day. */
export const noteSeen = (db: Db, worker: { id: string; version: string; reads: boolean }) =>
  sql`with old as (delete from workers where seen_at < clock_timestamp() - interval '1 day' and id <> ${worker.id})
    insert into workers (id, version, reads) values (${worker.id}, ${worker.version}, ${worker.reads})
    on conflict (id) do update set seen_at = clock_timestamp()`.execute(db)

/** Notes that a worker has shut down properly. */
export const noteEnded = (db: Db, id: string) =>
  db.deleteFrom('workers').where('id', '=', id).execute()

/** How many workers are alive, and how many seconds ago the last sign of life was; null if there was none within a day. */
export async function findWorkers(db: Db): Promise<{ alive: number; seenSeconds: number | null }> {
  const { rows } = await sql<{ alive: number; seenSeconds: number | null }>`
    select (count(*) filter (where seen_at > clock_timestamp() - ${awayAfterSeconds} * interval '1 second'))::int as alive,
      extract(epoch from clock_timestamp() - max(seen_at))::float8 as seen_seconds
    from workers`.execute(db)
  return rows[0] as (typeof rows)[number]
}
