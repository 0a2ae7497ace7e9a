import { sql } from 'kysely'
import { usedUp } from '../accounts/connect-tickets.ts'
import { tellSets } from '../accounts/mailbox-sets.ts'
import type { Trx } from '../database.ts'
import { lockAdministration } from '../workspace/administration.ts'

// The beginning of the erasure of a workspace: from the commit on, nothing of it is claimed, posted, filed or read, and nobody's token
// opens it. It waits for the claims that are being made, because each holds the row of its account.

/** Notes that a workspace is erased, and stops everything in it. False if it is erased already. */
export async function beginWorkspaceErasure(
  trx: Trx,
  workspace: string,
  { operation, now }: { operation: string; now: Date },
): Promise<boolean> {
  await lockAdministration(trx)
  const begun = await trx
    .updateTable('workspaces')
    .set({ erasedAt: now })
    .where('id', '=', workspace)
    .where('erasedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!begun) return false
  await trx.insertInto('workspaceErasures').values({ workspace, operation }).execute()
  await stopWorkspace(trx, workspace, now)
  return true
}

/** Stops everything in a workspace, as it may be done again: a call that was under way may have added something. */
export async function stopWorkspace(trx: Trx, workspace: string, now: Date): Promise<void> {
  const revokedAt = new Date()
  for (const table of ['tokens', 'adminTokens'] as const)
    await trx
      .updateTable(table)
      .set({ revokedAt })
      .where('workspace', '=', workspace)
      .where('revokedAt', 'is', null)
      .execute()
  await sql`update campaigns set state = 'done', run_epoch = run_epoch + 1
    where id in (select id from campaigns where workspace = ${workspace} and state <> 'done' order by id for update)`.execute(
    trx,
  )
  await trx
    .updateTable('segments')
    .set({ refill: false })
    .where('workspace', '=', workspace)
    .where('refill', '=', true)
    .execute()
  await sql`update connections set paused = true, removed_at = ${now}, smtp = null, imap = null, bridge = null, oauth = null,
      secrets = null
    where id in (select id from connections where workspace = ${workspace} and removed_at is null order by id for update)`.execute(
    trx,
  )
  await trx
    .updateTable('webhooks')
    .set({ enabled: false })
    .where('workspace', '=', workspace)
    .where('enabled', '=', true)
    .execute()
  const { rows } = await sql<{ set: string | null }>`
    delete from mailbox_readers using connections
    where connections.id = mailbox_readers.connection and connections.workspace = ${workspace}
    returning mailbox_set as set`.execute(trx)
  await tellSets(trx, [...new Set(rows.flatMap(({ set }) => set ?? []))])
  for (const table of ['logins', 'calendars'] as const)
    await trx.deleteFrom(table).where('workspace', '=', workspace).execute()
  await trx
    .updateTable('connectTickets')
    .set(usedUp)
    .where('workspace', '=', workspace)
    .where('usedAt', 'is', null)
    .execute()
  await sql`update verifications set ended_at = clock_timestamp(), secrets = null
    where workspace = ${workspace} and ended_at is null`.execute(trx)
  await sql`update letter_tests set state = 'failed', code = 'workspace_erased'
    where workspace = ${workspace} and state = 'queued'`.execute(trx)
}
