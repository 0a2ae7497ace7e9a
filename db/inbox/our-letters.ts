import type { Db } from '../database.ts'

/** Whether one of these Message-IDs is that of a letter of ours. */
export async function isOfOurs(db: Db, workspace: string, ids: string[]): Promise<boolean> {
  if (ids.length === 0) return false
  const message = await db
    .selectFrom('messages')
    .select('id')
    .where('workspace', '=', workspace)
    .where('messageId', 'in', ids)
    .where('direction', '=', 'outbound')
    .limit(1)
    .executeTakeFirst()
  if (message) return true
  // While a letter of a campaign is being handed over, it is no message yet.
  const touch = await db
    .selectFrom('touches')
    .select('id')
    .where('workspace', '=', workspace)
    .where('messageId', 'in', ids)
    .where('state', '=', 'sending')
    .limit(1)
    .executeTakeFirst()
  return touch !== undefined
}
