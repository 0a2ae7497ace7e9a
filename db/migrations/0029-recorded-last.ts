import { type Kysely, sql } from 'kysely'

// The row of a call's operation is written last in its transaction, with the answer. What refers to it may be written before, so
// the reference is checked when the transaction commits.

const tables = ['finds', 'routing_batches']

async function check(db: Kysely<unknown>, when: string) {
  for (const table of tables)
    await sql
      .raw(`alter table ${table} alter constraint ${table}_operation_fkey ${when}`)
      .execute(db)
}

export const up = (db: Kysely<unknown>): Promise<void> => check(db, 'deferrable initially deferred')
export const down = (db: Kysely<unknown>): Promise<void> => check(db, 'not deferrable')
