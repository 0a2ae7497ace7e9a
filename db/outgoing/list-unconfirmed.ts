import { sql } from 'kysely'
import type { Db } from '../database.ts'

// The letters, messages and invitations of which nobody knows whether they arrived, for the operator.

export type WhichUnconfirmed = {
  workspace?: string | undefined
  connection?: string | undefined
  /** Handed over from then on, and before then. */
  from?: Date | undefined
  until?: Date | undefined
}

export type Unconfirmed = {
  id: string
  workspace: string
  connection: string | null
  account: string | null
  /** When it was handed over. */
  claimedAt: Date
  messageId: string | null
}

const tables = ['touches', 'messages', 'invitations'] as const

/** A page of them, by id after `after`. Each table has an index of those that are unconfirmed, or few rows. */
export async function listUnconfirmed(
  db: Db,
  { workspace, connection, from, until }: WhichUnconfirmed,
  after: string,
  limit: number,
): Promise<Unconfirmed[]> {
  const conditions = [
    sql`state = 'sending' and reason = 'unconfirmed' and id > ${after}`,
    ...(workspace === undefined ? [] : [sql`workspace = ${workspace}`]),
    ...(connection === undefined ? [] : [sql`connection = ${connection}`]),
    ...(from ? [sql`claimed_at >= ${from}`] : []),
    ...(until ? [sql`claimed_at < ${until}`] : []),
  ]
  const of = (table: (typeof tables)[number]) => sql`
    (select id, workspace, connection, claimed_at, message_id from ${sql.table(table)}
      where ${sql.join(conditions, sql` and `)} order by id limit ${limit})`
  const { rows } = await sql<Unconfirmed>`
    select one.id, one.workspace, one.connection, connections.account, one.claimed_at as "claimedAt",
      one.message_id as "messageId"
    from (${sql.join(tables.map(of), sql` union all `)} order by id limit ${limit}) one
    left join connections on connections.id = one.connection order by one.id`.execute(db)
  return rows
}
