import { sql } from 'kysely'
import type { Db } from '../database.ts'

// Letters that wait until the mailbox of their account has been read.

/** The runners of the workspace's campaigns that have a letter due which follows one from this account, or may go from it. */
export async function listRunnersBehind(
  db: Db,
  workspace: string,
  connection: string,
): Promise<string[]> {
  const { rows } = await sql<{ runner: string }>`
    select runner from campaigns
    where workspace = ${workspace} and state = 'running' and runner is not null and exists (
      select from touches where touches.campaign = campaigns.id and touches.state = 'queued' and place > 1
        and coalesce(connection, ${connection}) = ${connection})
    order by id`.execute(db)
  return rows.map(({ runner }) => runner)
}
