import { sql } from 'kysely'
import type { Trx } from '../database.ts'

// The net under the table of answers (rules/answers): a provider that refuses one recipient after another in the same words
// speaks of the account, whatever it says.

const mostInRow = 3

/**
 * A letter was refused for good with this code. True if that makes so many in a row, each for another recipient than the one
 * before, that it is the account that is refused.
 */
export async function noteRefused(
  trx: Trx,
  account: string,
  code: string,
  to: string,
): Promise<boolean> {
  const counted = await trx
    .updateTable('connections')
    .set({
      refusedInRow: sql<number>`case when refused_code is distinct from ${code} then 1
        when refused_to = ${to} then refused_in_row else refused_in_row + 1 end`,
      refusedCode: code,
      refusedTo: to,
    })
    .where('id', '=', account)
    .returning('refusedInRow')
    .executeTakeFirst()
  return (counted?.refusedInRow ?? 0) >= mostInRow
}

/** A letter was taken. */
export const forgetRefused = (trx: Trx, account: string) =>
  trx
    .updateTable('connections')
    .set({ refusedInRow: 0, refusedCode: null, refusedTo: null })
    .where('id', '=', account)
    .where('refusedInRow', '>', 0)
    .execute()
