import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { type LetterKey, letters } from './letters.ts'

// The marker of an attempt is a lease, which the attempt renews while it lives: that Temporal has lost sight of it does not mean
// that it has stopped. Leases run on the database's own clock, which all processes share.

/** Several times as long as the renewals are apart. */
export const lease = sql<Date>`clock_timestamp() + interval '10 seconds'`

const setLease =
  (until: typeof lease) =>
  (db: Db, { table, id }: LetterKey, attempt: string) =>
    letters(db, table)
      .update()
      .set({ leasedUntil: until })
      .where('id', '=', id)
      .where('state', '=', 'sending')
      .where('attempt', '=', attempt)
      .execute()

/** Says that an attempt is still at work. */
export const renewLease = setLease(lease)
/** Says that an attempt has ended without an outcome. */
export const endLease = setLease(sql<Date>`clock_timestamp()`)

/** Milliseconds until the lease of the attempt in hand ends; negative once it has. 0 where nothing is in hand. */
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
