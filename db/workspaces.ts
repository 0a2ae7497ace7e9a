import type { Db, Trx } from './database.ts'

const settings = ['id', 'name', 'timezone', 'tagging'] as const

export const findWorkspace = (db: Db, id: string) =>
  db.selectFrom('workspaces').select(settings).where('id', '=', id).executeTakeFirst()

export const lockWorkspace = (trx: Trx, id: string) =>
  trx.selectFrom('workspaces').select(settings).where('id', '=', id).forUpdate().executeTakeFirst()

export const updateWorkspace = (
  trx: Trx,
  id: string,
  edit: { timezone?: string; tagging?: boolean },
) => trx.updateTable('workspaces').set(edit).where('id', '=', id).execute()

export const findHouse = (db: Db, id: string) =>
  db
    .selectFrom('workspaces')
    .select(['houseRules', 'houseUpdatedAt'])
    .where('id', '=', id)
    .executeTakeFirst()

/**
 * The workflow ids of the runners of a workspace's running campaigns, or of one agent's: whom to signal when something
 * they decide by has changed.
 */
export async function listRunners(db: Db, workspace: string, agent?: string): Promise<string[]> {
  const rows = await db
    .selectFrom('campaigns')
    .select('runner')
    .where('workspace', '=', workspace)
    .where('state', '=', 'running')
    .where('runner', 'is not', null)
    .$if(agent !== undefined, (query) => query.where('agent', '=', agent as string))
    .orderBy('id')
    .execute()
  return rows.flatMap(({ runner }) => runner ?? [])
}
