import { type SqlBool, sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Db } from '../database.ts'

// Lists in the order of the last change. A row gets its time before its transaction commits, so a row with an earlier time may
// become visible later, and a reader in this order must not miss it. Each writer therefore holds a lock that names the moment
// at which it began to change rows of the workspace (migrations/0100-foundation/changes.ts), and nothing from the earliest of these
// moments on is shown.

/** The changes of a stretch of time: from `since` on, and before `before`. */
export type Changes = { since: Date; before: Date }

/**
 * The business time before which all changes are committed: everything earlier can be read, and nothing earlier can still
 * appear.
 */
async function settledUntil(db: Db, clock: Clock, workspace: string): Promise<Date> {
  // The time of this statement, which is before it reads the locks: a writer that begins later changes nothing earlier.
  const { rows } = await sql<{ at: Date }>`
    with begun as (
      select objid::bigint - case when objid::bigint >= 2147483648 then 4294967296 else 0 end as moment
      from pg_locks
      where locktype = 'advisory' and objsubid = 2
        and database = (select oid from pg_database where datname = current_database())
        and classid::bigint = (hashtext('changes ' || ${workspace}::text)::bigint & 4294967295))
    select least(statement_timestamp(), to_timestamp(1767225600 + min(moment) / 4.0)) as at from begun`.execute(
    db,
  )
  return clock.at(rows[0]?.at as Date)
}

/** The changes since a given moment that can be read now without missing one. */
export const changesSince = async (
  db: Db,
  clock: Clock,
  workspace: string,
  since: string,
): Promise<Changes> => ({
  since: new Date(since),
  before: await settledUntil(db, clock, workspace),
})

/** For a query of `table`: those of these changes after `after`, the (updatedAt, id) of the last row read. */
export const isChange = (
  table: 'people' | 'conversations',
  { since, before }: Changes,
  after: readonly string[] | undefined,
) => {
  const at = sql.ref(`${table}.updatedAt`)
  const behind = after
    ? sql`and (${at}, ${sql.ref(`${table}.id`)}) > (${after[0]}::timestamptz, ${after[1]})`
    : sql``
  return sql<SqlBool>`(${at} >= ${since} and ${at} < ${before} ${behind})`
}
