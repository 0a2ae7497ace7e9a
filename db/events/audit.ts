import { sql } from 'kysely'
import type { EventKind } from '../../rules/event-kinds.ts'
import type { Db } from '../database.ts'
import { newId } from '../ids.ts'
import { dataOf, recordEvent } from './events.ts'

export type AuditEntry = {
  workspace: string
  at: Date
  member: string | null
  client: { id: string; name: string } | null
  action: EventKind
  resource: string
  before?: unknown
  after?: unknown
  key: string | null
}

/** Writes one audit line, and the event of it, for each change that was made; call it in the transaction of the change. */
export async function recordAudit(trx: Db, entry: AuditEntry) {
  await trx
    .insertInto('audit')
    .values({
      id: newId('aud'),
      workspace: entry.workspace,
      at: entry.at,
      member: entry.member,
      clientId: entry.client?.id ?? null,
      clientName: entry.client?.name ?? null,
      action: entry.action,
      resource: entry.resource,
      before: entry.before === undefined ? null : JSON.stringify(entry.before),
      after: entry.after === undefined ? null : JSON.stringify(entry.after),
      key: entry.key,
    })
    .execute()
  const { workspace, at, action: kind, resource, after } = entry
  await recordEvent(trx, { workspace, kind, at, resource, data: dataOf(after) })
}

/** The audit lines of a workspace, newest first; `after` is the [at, id] of the last row of the page before. */
export async function listAudit(db: Db, workspace: string, limit: number, after?: string[]) {
  const [at, id] = after ?? []
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .where('workspace', '=', workspace)
    .$if(at !== undefined, (query) =>
      query.where(sql<boolean>`(at, id) < (${at}::timestamptz, ${id}::text)`),
    )
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ clientId, clientName, ...row }) => ({
    id: row.id,
    at: row.at,
    member: row.member,
    client: clientId === null ? null : { id: clientId, name: clientName ?? '' },
    action: row.action,
    resource: row.resource,
    before: row.before,
    after: row.after,
    key: row.key,
  }))
}
