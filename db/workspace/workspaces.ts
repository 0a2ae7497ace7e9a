import { sql } from 'kysely'
import type { Mode } from '../../rules/sandbox/mode.ts'
import type { Db, Trx } from '../database.ts'

const settings = ['id', 'name', 'timezone', 'tagging', 'mode'] as const

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

/** Whether what it sends leaves. */
export const findMode = async (db: Db, id: string): Promise<Mode> =>
  (await db.selectFrom('workspaces').select('mode').where('id', '=', id).executeTakeFirstOrThrow())
    .mode

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

/**
 * Workspaces in the order of their ids, behind `after`, each with how many members and connections it has; `only` one, if a token
 * sees no other.
 */
export function listWorkspaces(
  db: Db,
  { only, after, limit }: { only: string | null; after: string | undefined; limit: number },
) {
  return db
    .selectFrom('workspaces')
    .select(['id', 'name', 'timezone', 'mode', 'quotas', 'createdAt'])
    .select((eb) => [
      eb
        .selectFrom('members')
        .whereRef('members.workspace', '=', 'workspaces.id')
        .where('members.leftAt', 'is', null)
        .select(sql<number>`count(*)::integer`.as('count'))
        .$asScalar()
        .$notNull()
        .as('members'),
      eb
        .selectFrom('connections')
        .whereRef('connections.workspace', '=', 'workspaces.id')
        .where('connections.removedAt', 'is', null)
        .select(sql<number>`count(*)::integer`.as('count'))
        .$asScalar()
        .$notNull()
        .as('connections'),
    ])
    .select(
      sql<boolean>`exists (select from holds where what = 'all' or holds.workspace = workspaces.id)`.as(
        'isHeld',
      ),
    )
    .where('erasedAt', 'is', null)
    .$if(only !== null, (query) => query.where('id', '=', only as string))
    .$if(after !== undefined, (query) => query.where('id', '>', after as string))
    .orderBy('id')
    .limit(limit)
    .execute()
}
