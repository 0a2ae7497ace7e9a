import { type SqlBool, sql } from 'kysely'
import type { EventKind } from '../../rules/event-kinds.ts'
import type { Db } from '../database.ts'
import { deliveryRows, tellingOf } from './deliveries.ts'

// What happened, for callers: read from GET /events, or sent to webhooks. An event is written in the transaction of its change.
// It holds ids and states; names, addresses and texts have to be read from the resources.

export type NewEvent = {
  workspace: string
  /** `<what>.<happened>`, e.g. message.received; if there is an audit line, the line's action. */
  kind: EventKind
  /** Of the business clock. */
  at: Date
  /** The id of what it happened to. */
  resource: string
  data?: Record<string, unknown>
}

export const eventId = (id: string): string => `evt_${id}`

/**
 * Records an event, in the transaction of its change and only once. Do not call it beside recordAudit, which records the event
 * of its change itself.
 */
export async function recordEvent(trx: Db, event: NewEvent) {
  await sql`
    with told as (${eventRows([event])}), queued as (${deliveryRows(event.workspace)})
    select ${tellingOf(event.workspace)}`.execute(trx)
}

/** The insert of events, which answers what deliveries are made of. */
export const eventRows = (events: NewEvent[]) => sql`
  insert into events (workspace, kind, at, resource, data)
  values ${sql.join(events.map(eventRow))}
  returning id, kind, at`

const eventRow = ({ workspace, kind, at, resource, data = {} }: NewEvent) =>
  sql`(${workspace}, ${kind}, ${at}, ${resource}, ${JSON.stringify(data)})`

/** The insert of the event that a statement causes which has moved something as `moved`; `data` is serialised. */
export const eventOfMoved = ({
  workspace,
  kind,
  at,
  data,
}: {
  workspace: string
  kind: string
  at: Date
  data: string
}) => sql`
  insert into events (workspace, kind, at, resource, data)
  select ${workspace}, ${kind}, ${at}::timestamptz, moved.id, ${data}::jsonb
  from moved returning id, kind, at`

/**
 * Records the same event about each of several things in a single statement. Call it with at most one batch for each
 * transaction.
 */
export async function recordEvents(
  trx: Db,
  event: Omit<NewEvent, 'resource' | 'data'>,
  told: Required<Pick<NewEvent, 'resource' | 'data'>>[],
) {
  if (told.length === 0) return
  const { workspace, kind, at } = event
  await sql`
    with told as (
      insert into events (workspace, kind, at, resource, data)
      select ${workspace}, ${kind}, ${at}::timestamptz, resource, data::jsonb
      from unnest(${told.map(({ resource }) => resource)}::text[],
        ${told.map(({ data }) => JSON.stringify(data))}::text[]) with ordinality as told (resource, data, n)
      order by n
      returning id, kind, at),
    queued as (${deliveryRows(workspace)})
    select ${tellingOf(workspace)}`.execute(trx)
}

/**
 * Events in the order of (xid, id), after the last one read, without ever missing one: ids are assigned before the commit, so a
 * later one may appear first. A row is shown once every transaction before its own has ended; transactions that begin later
 * have a higher xid. Nothing that sorts before an event appears after that event was read.
 */
export const listEvents = (
  db: Db,
  workspace: string,
  limit: number,
  [xid, id]: readonly [string, string] = ['0', '0'],
) =>
  db
    .selectFrom('events')
    .select(['id', 'kind', 'at', 'resource', 'data', sql<string>`xid::text`.as('xid')])
    .where('workspace', '=', workspace)
    .where(sql<SqlBool>`xid < pg_snapshot_xmin(pg_current_snapshot())`)
    .where(sql<SqlBool>`(xid, id) > (${xid}::xid8, ${id}::bigint)`)
    .orderBy('events.xid')
    .orderBy('id')
    .limit(limit)
    .execute()

// The members whose value an event shows. Everything else may be text that somebody wrote, so a member that is not listed is
// named under `members` and its value left out.
const told = new Set([
  'state',
  'closed',
  'reason',
  'snoozeUntil',
  'owner',
  'met',
  'conversation',
  'person',
  'campaign',
  'touch',
  'outcome',
  'segment',
  'agent',
  'connection',
  'via',
  'sendAt',
  'due',
  'expiresAt',
  'label',
  'side',
  'enabled',
  'saved',
  'refill',
  'replaces',
  'timezone',
  'tagging',
  'member',
  'product',
  'seller',
  'buyer',
  'stage',
  'calendar',
  'job',
  'operation',
  'rule',
  'position',
])

/**
 * The data of an event about an edit: its ids and states and, under `members`, the names of all members that it changed. Texts
 * are left out, whichever member holds them.
 */
export function dataOf(after: unknown): Record<string, unknown> {
  if (typeof after !== 'object' || after === null || Array.isArray(after)) return {}
  const members = Object.keys(after)
  const kept = Object.entries(after).filter(
    ([name, value]) => told.has(name) && (value === null || isSmall(value)),
  )
  return { ...Object.fromEntries(kept), members }
}

const isSmall = (value: unknown) =>
  typeof value === 'boolean' ||
  typeof value === 'number' ||
  value instanceof Date ||
  (typeof value === 'string' && /^[\w.~:+/-]{1,128}$/.test(value))
