import { type SqlBool, sql } from 'kysely'
import type { Db } from '../database.ts'
import { letterSays } from './says.ts'

// The letters of a campaign that did not arrive, and why. Those that were not to go any more are not among them, nor are those
// that were sent again.

const returned = sql<SqlBool>`${sql.raw(letterSays)} in ('failed', 'bounced') and place > 0
  and reason in ('refused', 'undeliverable', 'bounced') and message_id is not null`

export async function countReturned(db: Db, campaign: string): Promise<number> {
  const row = await db
    .selectFrom('touches')
    .select(sql<number>`count(*)::int`.as('letters'))
    .where('campaign', '=', campaign)
    .where(returned)
    .executeTakeFirstOrThrow()
  return row.letters
}

const mostReasons = 3

/** The reasons by the number of letters, the most frequent first; `said` is what a server said last. */
export const listReasons = (db: Db, campaign: string) =>
  db
    .selectFrom('touches')
    .select(['reason', 'code'])
    .select([
      sql<number>`count(*)::int`.as('letters'),
      sql<
        string | null
      >`(array_agg(said order by claimed_at desc nulls last) filter (where said is not null))[1]`.as(
        'said',
      ),
    ])
    .where('campaign', '=', campaign)
    .where(returned)
    .groupBy(['reason', 'code'])
    .orderBy('letters', 'desc')
    .orderBy('code')
    .limit(mostReasons)
    .execute()
