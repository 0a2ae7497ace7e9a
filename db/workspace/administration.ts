import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
import { recordAudit } from '../events/audit.ts'
import {
  type AdminTokenRow,
  createAdminToken,
  type NewAdminToken,
  revokeAdminToken,
} from './admin-tokens.ts'
import { createToken, type NewToken, revokeToken } from './tokens.ts'

// Actions of operators only: describing workspaces and giving access to them.

/** The tables that an operator's file describes row by row, each row with an id of its own. */
export type Described =
  | 'workspaces'
  | 'members'
  | 'connections'
  | 'calendars'
  | 'products'
  | 'companies'
  | 'agents'
  | 'folders'
  | 'people'
  | 'conversations'
  | 'deals'
export type Row = { id: string } & Record<string, unknown>

// All these tables get the same few statements, so their rows are handled as maps of columns.
const rowsOf = (db: Db) => db as unknown as Kysely<Record<Described, Row>>

/** Keeps a second operator's command waiting until this transaction has ended. */
export const lockAdministration = (trx: Trx) =>
  sql`select pg_advisory_xact_lock(hashtext('administration'))`.execute(trx)

/** The rows with these ids, in any workspace. */
export async function findDescribed(db: Db, table: Described, ids: string[]): Promise<Row[]> {
  if (ids.length === 0) return []
  const rows = await rowsOf(db)
    .selectFrom(table)
    .selectAll()
    .where(sql<boolean>`id = any(${ids})`)
    .execute()
  return rows as Row[]
}

/**
 * Those of these ids that another workspace has, a member who has left, or a connection that was removed: ids are unique in the
 * whole database, and never given again.
 */
export async function listTaken(
  db: Db,
  table: Exclude<Described, 'workspaces'>,
  workspace: string,
  ids: string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await rowsOf(db)
    .selectFrom(table)
    .select('id')
    .where(sql<boolean>`id = any(${ids})`)
    .where((eb) => {
      const elsewhere = eb(sql.ref('workspace'), '<>', workspace)
      const gone = goneAt[table]
      return gone === undefined ? elsewhere : eb.or([elsewhere, eb(sql.ref(gone), 'is not', null)])
    })
    .execute()
  return rows.map(({ id }) => id)
}

/** The column that says since when a row is there for history alone. */
export const goneAt: Partial<Record<Described, string>> = {
  members: 'leftAt',
  connections: 'removedAt',
}

/**
 * The rows of a workspace, in the order of their ids, without members who have left and connections that were removed; of
 * `workspaces`, its own.
 */
export const listDescribed = async (db: Db, table: Described, workspace: string): Promise<Row[]> =>
  (await rowsOf(db)
    .selectFrom(table)
    .selectAll()
    .where(table === 'workspaces' ? 'id' : sql.ref('workspace'), '=', workspace)
    .$if(goneAt[table] !== undefined, (query) =>
      query.where(sql.ref(goneAt[table] as string), 'is', null),
    )
    .orderBy('id')
    .execute()) as Row[]

/** `values` are columns as they are stored: jsonb as its text. */
export const insertDescribed = (trx: Trx, table: Described, values: Row) =>
  rowsOf(trx).insertInto(table).values(values).execute()

export const updateDescribed = (
  trx: Trx,
  table: Described,
  id: string,
  values: Record<string, unknown>,
) => rowsOf(trx).updateTable(table).set(values).where('id', '=', id).execute()

/** Makes a token and writes an audit line; the token itself is answered only this once. */
export const openAccess = (
  db: Db,
  access: NewToken,
  now: Date,
): Promise<{ id: string; token: string }> =>
  db.transaction().execute(async (trx) => {
    const made = await createToken(trx, access)
    await auditAccess(trx, made.id, 'access.opened', now)
    return { id: made.id, token: made.token }
  })

/** The same for a token of the administration. The audit log of a workspace says who sees it alone. */
export const openAdministration = (
  db: Db,
  access: NewAdminToken,
  now: Date,
): Promise<{ id: string; token: string }> =>
  db.transaction().execute(async (trx) => {
    const made = await createAdminToken(trx, access)
    await auditAdministration(trx, made.row, 'access.opened', now)
    return { id: made.row.id, token: made.token }
  })

/** Revokes a token of either kind; false if there was no live token with that id. */
export const closeAccess = (db: Db, id: string, now: Date): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const administrative = await revokeAdminToken(trx, id)
    if (administrative) await auditAdministration(trx, administrative, 'access.closed', now)
    else if (await revokeToken(trx, id)) await auditAccess(trx, id, 'access.closed', now)
    else return false
    return true
  })

async function auditAdministration(
  trx: Trx,
  token: AdminTokenRow,
  action: 'access.opened' | 'access.closed',
  now: Date,
) {
  if (token.workspace === null) return
  await recordAudit(trx, {
    workspace: token.workspace,
    at: now,
    member: null,
    client: { id: token.clientId, name: token.clientName },
    action,
    resource: token.id,
    after: { scopes: token.scopes, expiresAt: token.expiresAt.toISOString() },
    key: null,
  })
}

async function auditAccess(
  trx: Trx,
  id: string,
  action: 'access.opened' | 'access.closed',
  now: Date,
) {
  const token = await trx
    .selectFrom('tokens')
    .select(['workspace', 'member', 'clientId', 'clientName', 'scopes', 'expiresAt'])
    .select('unattended')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await recordAudit(trx, {
    workspace: token.workspace,
    at: now,
    member: token.member,
    client: { id: token.clientId, name: token.clientName },
    action,
    resource: id,
    after: {
      scopes: token.scopes,
      expiresAt: token.expiresAt.toISOString(),
      ...(token.unattended && { unattended: true }),
    },
    key: null,
  })
}
