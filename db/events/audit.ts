import { sql } from 'kysely'
import type { EventKind } from '../../rules/event-kinds.ts'
import type { Db } from '../database.ts'
import { newId } from '../ids.ts'
import { deliveryRows, tellingOf } from './deliveries.ts'
import { dataOf, eventRows, type NewEvent } from './events.ts'

export type AuditEntry = {
  workspace: string
  at: Date
  member: string | null
  client: { id: string; name: string } | null
  action: EventKind
  resource: string
  before?: unknown
  after?: unknown
  /** Ids that the event tells beside those of `after`. */
  about?: Record<string, unknown>
  key: string | null
}

/** Writes one audit line, and the event of it, for each change that was made; call it in the transaction of the change. */
export async function recordAudit(trx: Db, entry: AuditEntry) {
  const event = eventOf(entry)
  await sql`
    with line as (${auditRows([entry])}), told as (${eventRows([event])}), queued as (${deliveryRows(event.workspace)})
    select ${tellingOf(event.workspace)}`.execute(trx)
}

/** The same for several changes of a workspace at once. */
export async function recordAudits(trx: Db, workspace: string, entries: AuditEntry[]) {
  if (entries.length === 0) return
  await sql`
    with line as (${auditRows(entries)}), told as (${eventRows(entries.map(eventOf))}),
      queued as (${deliveryRows(workspace)})
    select ${tellingOf(workspace)}`.execute(trx)
}

/** The event of a change. */
export const eventOf = ({
  workspace,
  at,
  action: kind,
  resource,
  after,
  about,
  ...by
}: AuditEntry): NewEvent => ({
  workspace,
  kind,
  at,
  resource,
  data: { ...dataOf(after), ...about, ...callOf(by) },
})

/** The call that caused an event, as the event tells it: whoever made the call knows its echo by it. */
export const callOf = ({ client, key }: { client?: AuditEntry['client']; key: string | null }) => ({
  ...(client && { client }),
  ...(key !== null && { key }),
})

/** The insert of audit lines. */
export const auditRows = (entries: AuditEntry[]) => sql`
  insert into audit (id, workspace, at, member, client_id, client_name, action, resource, before, after, key)
  values ${sql.join(entries.map(auditRow))}`

const auditRow = ({ client, ...entry }: AuditEntry) =>
  sql`(${newId('aud')}, ${entry.workspace}, ${entry.at}, ${entry.member}, ${client?.id}, ${client?.name},
    ${entry.action}, ${entry.resource}, ${jsonOf(entry.before)}, ${jsonOf(entry.after)}, ${entry.key})`

const jsonOf = (value: unknown) => (value === undefined ? null : JSON.stringify(value))

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
