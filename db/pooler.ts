import { sql } from 'kysely'
import type { Db } from './database.ts'

// A pooler that changes connections after each transaction gives a client's settings, prepared statements and locks to others: a call
// may then be acknowledged that the disk does not have, and an import written beside another one.

const refusal =
  'DATABASE_URL leads through a pooler that changes connections after each transaction. Let it give each client a connection of its own (pool_mode = session in PgBouncer), or connect to Postgres itself.'

/**
 * Two clients that are connected at once have two connections of Postgres, and each keeps its own. The pool needs two.
 * @throws Error with what an operator has to change, if that is not so.
 */
export async function refusePooler(db: Db): Promise<void> {
  await db.connection().execute(async (one) => {
    const before = await processOf(one)
    const isKept = await db.connection().execute(async (other) => {
      await sql`begin`.execute(other)
      try {
        // The same: the first client's connection was free to be given away. Asked for within a transaction, so that no other client
        // has it meanwhile.
        if ((await processOf(other)) === before) return false
        return (await processOf(one)) === before
      } finally {
        await sql`rollback`.execute(other)
      }
    })
    if (!isKept) throw new Error(refusal)
  })
}

async function processOf(db: Db): Promise<number | undefined> {
  // No select, which would be prepared when it comes again, on a connection that is another one.
  const { rows } = await sql<{ column1: number }>`values (pg_backend_pid())`.execute(db)
  return rows[0]?.column1
}
