import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { goesAt } from './touches.ts'

// Letters that may go soon and are still to be written by a model.

/** Letters that go before a moment, at places that are agreed. */
type Soon = { campaign: string; agreed: number[]; before: Date }

const soon = ({ campaign, agreed, before }: Soon) => sql`touches
  where campaign = ${campaign} and place = any(${agreed}::int[]) and state = 'queued' and ${goesAt} <= ${before}`

/** How many of them are written, and how many are not; counts up to `limit` of the latter. */
export async function countWritten(db: Db, letters: Soon, limit: number) {
  const { rows } = await sql<{ written: number; unwritten: number }>`
    select (select count(*)::int from ${soon(letters)} and text is not null) as written,
      (select count(*)::int from (select from ${soon(letters)} and text is null limit ${limit}) few) as unwritten`.execute(
    db,
  )
  return rows[0] as (typeof rows)[number]
}

/** Those that are not written, the next ones first. */
export async function listUnwritten(db: Db, letters: Soon, limit: number) {
  const { rows } = await sql<{ id: string }>`
    select id from ${soon(letters)} and text is null
    order by place desc, ${goesAt}, id limit ${limit}`.execute(db)
  return rows
}
