import { sql } from 'kysely'
import type { Db } from '../database.ts'

/**
 * The people who have this mailbox under another spelling of its address (googlemail.com and gmail.com, with and without dots, with
 * a tag), or under this one. What somebody stops under one spelling is stopped for all; nothing else follows from it.
 */
export async function findAlike(db: Db, workspace: string, address: string): Promise<string[]> {
  const { rows } = await sql<{ person: string }>`
    select distinct person from addresses
    where workspace = ${workspace} and kind = 'email' and mailbox_of(value) = mailbox_of(${address}) limit 20`.execute(
    db,
  )
  return rows.map(({ person }) => person)
}
