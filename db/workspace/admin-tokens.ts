import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { newId } from '../ids.ts'
import { clientIdOf, hashOf, lifeOf, newSecret } from './tokens.ts'

// Tokens of the administration: who may set up workspaces. Their form is that of other tokens, with the prefix `pra_`. Operations
// are told from those of the API by the beginning of their ids, `tka` (isAdministrative in db/operations/operations.ts).

export type NewAdminToken = {
  /** The one workspace that it sees; null for all. */
  workspace: string | null
  client: string
  scopes: readonly string[]
  days?: number
}

const shown = [
  ...(['id', 'workspace', 'clientId', 'clientName', 'scopes', 'expiresAt', 'revokedAt'] as const),
]

/** Makes a token and answers it; it is shown only this once. The expiry is in days of real time, 90 unless given. */
export async function createAdminToken(
  db: Db,
  token: NewAdminToken,
): Promise<{ row: AdminTokenRow; token: string }> {
  const secret = newSecret('pra')
  const row = await db
    .insertInto('adminTokens')
    .values({
      id: newId('tka'),
      hash: hashOf(secret),
      workspace: token.workspace,
      clientId: clientIdOf('admin', token.client),
      clientName: token.client,
      scopes: [...token.scopes],
      ...lifeOf(token.days),
    })
    .returning(shown)
    .executeTakeFirstOrThrow()
  return { row, token: secret }
}

export type AdminTokenRow = NonNullable<Awaited<ReturnType<typeof findAdminToken>>>

/** The token; the caller checks expiry and revocation. */
export const findAdminToken = (db: Db, token: string) =>
  db.selectFrom('adminTokens').select(shown).where('hash', '=', hashOf(token)).executeTakeFirst()

/** A workspace as far as this token sees it; undefined if it does not, or if there is none. */
export const findSeen = (db: Db, token: string, workspace: string) =>
  db
    .selectFrom('adminTokens')
    .innerJoin('workspaces', (join) =>
      join.on((eb) =>
        eb.or([
          eb('adminTokens.workspace', 'is', null),
          eb('adminTokens.workspace', '=', eb.ref('workspaces.id')),
        ]),
      ),
    )
    .select(['workspaces.id', 'workspaces.name', 'timezone', 'tagging', 'region', 'mode'])
    .select('workspaces.quotas')
    .where('adminTokens.id', '=', token)
    .where('workspaces.id', '=', workspace)
    .where('workspaces.erasedAt', 'is', null)
    .executeTakeFirst()

/** A workspace that is or was erased, if the token sees all. Only the operation of that is still read. */
export const findErased = (db: Db, token: string, workspace: string) =>
  db
    .selectFrom('adminTokens')
    .innerJoin('workspaceErasures', (join) => join.onTrue())
    .select(['workspaceErasures.workspace as id', 'workspaceErasures.operation'])
    .where('adminTokens.id', '=', token)
    .where('adminTokens.workspace', 'is', null)
    .where('workspaceErasures.workspace', '=', workspace)
    .executeTakeFirst()

/** The id of a workspace that is not there, if this token may make it: it sees all. */
export const findMakeable = (db: Db, token: string, workspace: string) =>
  db
    .selectFrom('adminTokens')
    .select(sql<string>`${workspace}::text`.as('id'))
    .where('adminTokens.id', '=', token)
    .where('adminTokens.workspace', 'is', null)
    .executeTakeFirst()

/** The tokens of all workspaces, or those that see this one alone. */
export const listAdminTokens = (db: Db, workspace?: string) =>
  db
    .selectFrom('adminTokens')
    .select(['id', 'workspace', 'clientName', 'scopes', 'createdAt', 'expiresAt'])
    .select(['revokedAt', 'lastUsedAt'])
    .$if(workspace !== undefined, (query) => query.where('workspace', '=', workspace as string))
    .orderBy('createdAt')
    .execute()

/** The token that was revoked; undefined if there was no live one with that id. */
export const revokeAdminToken = (db: Db, id: string) =>
  db
    .updateTable('adminTokens')
    .set({ revokedAt: new Date() })
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .returning(shown)
    .executeTakeFirst()

export const adminTokenUsed = (db: Db, id: string) =>
  db.updateTable('adminTokens').set({ lastUsedAt: new Date() }).where('id', '=', id).execute()
