import { sql } from 'kysely'
import type { Db, Trx } from '../database.ts'

// A message that is to go out, with the facts of its conversation that sending it needs.

/** With a connection: only if it goes through that one. */
export function findOutgoing(db: Db, id: string, connection?: string) {
  const query = db
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation')
    .innerJoin('workspaces', 'workspaces.id', 'messages.workspace')
    .selectAll('messages')
    .select([
      'conversations.person',
      'conversations.owner',
      'conversations.kind',
      'workspaces.timezone',
      // Only if the address belongs to somebody: a message may go to any address.
      sql<string | null>`(select p.name from addresses a join people p on p.id = a.person
        where a.workspace = messages.workspace and a.kind = 'email'
          and a.value = lower(messages.to_address))`.as('toName'),
    ])
    .where('messages.id', '=', id)
  const through =
    connection === undefined ? query : query.where('messages.connection', '=', connection)
  return through.executeTakeFirst()
}

export type OutgoingRow = NonNullable<Awaited<ReturnType<typeof findOutgoing>>>

/** Locks a message's row until the transaction ends and reads it. */
export async function lockOutgoing(trx: Trx, id: string): Promise<OutgoingRow | undefined> {
  await sql`select id from messages where id = ${id} for update`.execute(trx)
  return findOutgoing(trx, id)
}

/** Unconfirmed messages of an account. */
export const listUnconfirmed = async (db: Db, connection: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('messages')
    .select('id')
    .where('connection', '=', connection)
    .where('state', '=', 'sending')
    .where('reason', '=', 'unconfirmed')
    .orderBy('seq')
    .execute()
  return rows.map(({ id }) => id)
}
