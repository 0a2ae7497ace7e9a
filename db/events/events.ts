import { type SqlBool, sql } from 'kysely'
import type { EventKind } from '../../rules/event-kinds.ts'
import type { Db } from '../database.ts'
import { deliveryRows, tellingOf } from './deliveries.ts'
import { externalId } from './external-ids.ts'

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
    .select(externalId.as('externalId'))
    .where('workspace', '=', workspace)
    .where(sql<SqlBool>`xid < pg_snapshot_xmin(pg_current_snapshot())`)
    .where(sql<SqlBool>`(xid, id) > (${xid}::xid8, ${id}::bigint)`)
    .orderBy('events.xid')
    .orderBy('id')
    .limit(limit)
    .execute()

/** A position among the events of a workspace: the transaction and the number of the last event before it. */
export type EventPlace = readonly [xid: string, id: string]

/** Of events of certain kinds, so many others are passed over for one page. */
const mostScanned = 2_000

/**
 * The same for events of certain kinds. `to` is how far it was read, where the page is not full, and `more` says whether
 * events follow that were not looked at.
 */
export async function listEventsOf(
  db: Db,
  workspace: string,
  kinds: string[],
  limit: number,
  [xid, id]: EventPlace,
) {
  const { rows } = await sql<
    Awaited<ReturnType<typeof listEvents>>[number] & { last: boolean; n: string }
  >`
    select id, kind, at, resource, data, xid::text as xid, ${externalId} as external_id, last, n
    from (
      select *, lead(id) over in_order is null as last, row_number() over in_order as n
      from (
        select id, workspace, kind, at, resource, data, xid from events
        where workspace = ${workspace} and xid < pg_snapshot_xmin(pg_current_snapshot())
          and (xid, id) > (${xid}::xid8, ${id}::bigint)
        order by events.xid, id limit ${sql.lit(mostScanned)}) as scanned
      window in_order as (order by scanned.xid, id)) as events
    where last or kind = any(${kinds}::text[])
    order by events.xid, id limit ${limit}`.execute(db)
  const wanted = new Set(kinds)
  const end = rows.find(({ last }) => last)
  return {
    rows: rows.filter(({ kind }) => wanted.has(kind)).map(({ last: _, n: __, ...row }) => row),
    to: end && ([end.xid, end.id] as EventPlace),
    more: Number(end?.n) === mostScanned,
  }
}

// No transaction writes for so long, so what was recorded that much earlier stands before.
const longestWriteMs = 60_000
const lastId = '9'.repeat(18)

/** The place behind everything that can be read now. */
export async function placeOfNow(db: Db): Promise<EventPlace> {
  const { rows } = await sql<{ xmin: string }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as xmin`.execute(db)
  return [String(BigInt(rows[0]?.xmin ?? 1) - 1n), lastId]
}

/**
 * The place before the first event that was recorded at `at` or later. Transactions are numbered about in the order of time,
 * so halving their numbers finds the place with a few lookups, however many events there are.
 */
export async function placeOfTime(db: Db, workspace: string, at: Date): Promise<EventPlace> {
  const before = new Date(at.getTime() - longestWriteMs)
  const { rows } = await sql<{ xid: string; id: string }>`
    with recursive halved (low, high) as (
      (select xid::text::numeric, pg_snapshot_xmin(pg_current_snapshot())::text::numeric
        from events where workspace = ${workspace} order by events.xid, id limit 1)
      union all
      select case when is_before then middle else low end, case when is_before then high else middle end
      from (
        select low, high, middle, coalesce((
          select recorded_at < ${before}::timestamptz from events
          where workspace = ${workspace} and xid >= middle::text::xid8
          order by xid, id limit 1), false) as is_before
        from (select low, high, div(low + high, 2) as middle from halved where high - low > 1) as half) as probed)
    select xid::text as xid, (id - 1)::text as id from events
    where workspace = ${workspace} and recorded_at >= ${at}::timestamptz
      and xid >= (select low from halved order by high - low limit 1)::text::xid8
    order by events.xid, events.id limit 1`.execute(db)
  const [found] = rows
  return found ? [found.xid, found.id] : placeOfNow(db)
}

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
  'from',
])

/**
 * The data of an event about an edit: its ids and states and, under `members`, the names of all members that it changed. Texts
 * are left out, whichever member holds them.
 */
export function dataOf(after: unknown): Record<string, unknown> {
  if (typeof after !== 'object' || after === null || Array.isArray(after)) return {}
  const members = Object.keys(after)
  const kept = Object.entries(after).filter(
    ([name, value]) => told.has(name) && (value === null || isSmall(value) || isOfIds(name, value)),
  )
  return { ...Object.fromEntries(kept), members }
}

/** The cards that became part of another one. */
const isOfIds = (name: string, value: unknown) =>
  name === 'from' && Array.isArray(value) && value.every(isSmall)

const isSmall = (value: unknown) =>
  typeof value === 'boolean' ||
  typeof value === 'number' ||
  value instanceof Date ||
  (typeof value === 'string' && /^[\w.~:+/-]{1,128}$/.test(value))
