import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { withOwnIds } from '../outgoing/letter-ids.ts'

/**
 * Whether one of the ids that a mail of this account names is that of a letter of ours, also under the id of a provider: a message, a
 * letter of a campaign that is being handed over, which is no message yet, or an invitation.
 */
export async function isOfOurs(
  db: Db,
  { workspace, connection }: { workspace: string; connection: string },
  given: string[],
): Promise<boolean> {
  return areOfOurs(db, workspace, await withOwnIds(db, { workspace, connection }, given))
}

/** The same of ids that stand with our own already (withOwnIds). */
export async function areOfOurs(db: Db, workspace: string, ids: string[]): Promise<boolean> {
  if (ids.length === 0) return false
  const { rows } = await sql<{ is: boolean }>`
    select exists (select from messages
        where workspace = ${workspace} and direction = 'outbound' and message_id = any(${ids}::text[]))
      or exists (select from touches
        where workspace = ${workspace} and state = 'sending' and message_id = any(${ids}::text[]))
      or exists (select from invitations
        where workspace = ${workspace} and state in ('sending', 'sent', 'failed')
          and message_id = any(${ids}::text[])) as is`.execute(db)
  return rows[0]?.is ?? false
}
