import type { Db, Trx } from '../database.ts'

const settings = ['id', 'name', 'timezone', 'tagging'] as const

export const findWorkspace = (db: Db, id: string) =>
  db.selectFrom('workspaces').select(settings).where('id', '=', id).executeTakeFirst()

/** The time zone by which the workspace's days are counted. */
export const findZone = async (db: Db, id: string): Promise<string> =>
  (
    await db
      .selectFrom('workspaces')
      .select('timezone')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).timezone

// Every row of a workspace refers to it, including the operation of this very call: FOR UPDATE would wait for all of them, and
// two edits would wait for each other.
export const lockWorkspace = (trx: Trx, id: string) =>
  trx
    .selectFrom('workspaces')
    .select(settings)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

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

/** What the operator wrote about the subscription of a workspace; null if nothing. */
export async function findBilling(
  db: Db,
  workspace: string,
): Promise<Record<string, unknown> | null> {
  const row = await db
    .selectFrom('workspaces')
    .select('billing')
    .where('id', '=', workspace)
    .executeTakeFirst()
  return row?.billing ?? null
}
