import { sql } from 'kysely'
import type { Trx } from '../database.ts'
import { enqueueSignal } from '../operations/outbox.ts'

/**
 * Wakes the runners of the workspace's campaigns that have a letter queued which follows one from this account, or may go from it:
 * its mailbox has been read, and may have held them.
 */
export async function wakeRunnersBehind(trx: Trx, workspace: string, connection: string) {
  const { rows } = await sql<{ runner: string }>`
    select runner from campaigns
    where workspace = ${workspace} and state = 'running' and runner is not null and exists (
      select from touches where touches.campaign = campaigns.id and touches.state = 'queued' and place > 1
        and coalesce(connection, ${connection}) = ${connection})
    order by id`.execute(trx)
  for (const { runner } of rows) await enqueueSignal(trx, runner, 'changed')
}
