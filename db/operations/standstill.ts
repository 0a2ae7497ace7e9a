import { sql } from 'kysely'
import type { Db } from '../database.ts'

// What stands still without anything failing, for the gauges of /metrics. Real time, by the database's clock.

/**
 * For how many seconds the oldest transaction that writes has been open, at least: events that are newer than it are shown to nobody
 * (db/events/events.ts). Counted between two looks of this process, so that it covers every role and what is prepared.
 */
export function watchTransactions() {
  let last: { xmin: string; seconds: number } | undefined
  return async (db: Db): Promise<number> => {
    const { rows } = await sql<{ xmin: string; isOpen: boolean; seconds: number }>`
      select pg_snapshot_xmin(now)::text as xmin, pg_snapshot_xmin(now) < pg_snapshot_xmax(now) as "isOpen",
        extract(epoch from clock_timestamp())::float8 as seconds
      from pg_current_snapshot() as now`.execute(db)
    const [row] = rows
    if (!row?.isOpen) last = undefined
    else if (last?.xmin !== row.xmin) last = { xmin: row.xmin, seconds: row.seconds }
    return row && last ? row.seconds - last.seconds : 0
  }
}

/** The sweep has ended once more. */
export const noteSweep = (db: Db) =>
  sql`insert into settings (name, value) values ('sweep-finished', to_jsonb(clock_timestamp()))
    on conflict (name) do update set value = excluded.value`.execute(db)

/** Seconds since the sweep ended; null if it never has. */
export async function findSweep(db: Db): Promise<number | null> {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from clock_timestamp() - (value #>> '{}')::timestamptz)::float8 as seconds
    from settings where name = 'sweep-finished'`.execute(db)
  return rows[0] ? Math.max(0, rows[0].seconds) : null
}
