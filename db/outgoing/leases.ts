import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { type LetterKey, letters } from './letters.ts'

// The marker of an attempt is a lease, which a live attempt renews: Temporal may lose sight of an attempt that has not stopped.
// Leases run on the database's own clock, which all processes share.

/** Several times the interval between renewals. */
export const leaseMs = 10_000
export const lease = sql<Date>`clock_timestamp() + interval '${sql.raw(`${leaseMs} milliseconds`)}'`

/** Whether the attempt that has claimed a letter is at work, in a select of its row. */
export const isLeased = sql<boolean>`coalesce(leased_until > clock_timestamp(), false)`

const setLease =
  (until: typeof lease) =>
  (db: Db, { table, id }: LetterKey, attempt: string) =>
    letters(db, table)
      .update()
      .set({ leasedUntil: until })
      .where('id', '=', id)
      .where('state', '=', 'sending')
      .where('attempt', '=', attempt)
      .returning('reason')
      .execute()

/** Renews the lease of an attempt that is still at work; answers whether its letter is still its own, and not unconfirmed by now. */
export const renewLease = async (db: Db, row: LetterKey, attempt: string): Promise<boolean> =>
  (await setLease(lease)(db, row, attempt)).some(({ reason }) => reason === null)
/** Ends the lease of an attempt that has stopped without an outcome. */
export const endLease = setLease(sql<Date>`clock_timestamp()`)

/** Milliseconds until the lease of the present attempt ends; negative once it has ended, and 0 if there is no lease. */
export async function findLeaseMs(db: Db, { table, id }: LetterKey): Promise<number> {
  const row = await letters(db, table)
    .select()
    .select(
      sql<number>`coalesce(extract(epoch from leased_until - clock_timestamp()) * 1000, 0)::float8`.as(
        'leftMs',
      ),
    )
    .where('id', '=', id)
    .where('state', '=', 'sending')
    .where('reason', 'is', null)
    .executeTakeFirst()
  return row?.leftMs ?? 0
}
