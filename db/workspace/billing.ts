import type { Db } from '../database.ts'

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
