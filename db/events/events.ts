import { type SqlBool, sql } from 'kysely'
import type { EventKind } from '../../rules/event-kinds.ts'
import type { Db } from '../database.ts'
import { addDeliveries } from './deliveries.ts'

// What happened, told outward: read from GET /events, or sent to webhooks. An event is written in the transaction of its
// change. It holds ids and states; names, addresses and texts are read where they are kept.

export type NewEvent = {
  workspace: string
  /** `<what>.<happened>`, e.g. message.received; where there is an audit line, its action. */
  kind: EventKind
  /** Of the business clock. */
  at: Date
  /** The id of what it happened to. */
  resource: string
  data?: Record<string, unknown>
}

export const eventId = (id: string): string => `evt_${id}`

/**
 * Tells of what happened, in its transaction and once. Not beside an audit line: recordAudit tells of that change by itself.
 */
export async function recordEvent(trx: Db, { data = {}, ...event }: NewEvent) {
  const { id } = await trx
    .insertInto('events')
    .values({ ...event, data: JSON.stringify(data) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await addDeliveries(trx, event, [id])
}

/** Tells of the same of each of several things, in one statement however many; at most a batch of a transaction. */
export async function recordEvents(
  trx: Db,
  { workspace, kind, at }: Omit<NewEvent, 'resource' | 'data'>,
  told: Required<Pick<NewEvent, 'resource' | 'data'>>[],
) {
  if (told.length === 0) return
  const { rows } = await sql<{ id: string }>`
    insert into events (workspace, kind, at, resource, data)
    select ${workspace}, ${kind}, ${at}::timestamptz, resource, data::jsonb
    from unnest(${told.map(({ resource }) => resource)}::text[],
      ${told.map(({ data }) => JSON.stringify(data))}::text[]) with ordinality as told (resource, data, n)
    order by n
    returning id`.execute(trx)
  await addDeliveries(
    trx,
    { workspace, kind, at },
    rows.map(({ id }) => id),
  )
}

/**
 * Events in the order of (xid, id), behind that of the last one read, and never one too few: ids are given before the commit,
 * so that a later one may be there first. A row counts once every transaction before its own has ended; those that begin
 * later have a higher xid. What is read is never followed by something that sorts before it.
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

// What of a change is an id, a state, a switch or an instant. Everything else is words of somebody.
const told = new Set(
  `state closed reason snoozeUntil owner met conversation person campaign touch outcome segment agent connection via sendAt due label side
  enabled saved refill replaces timezone tagging member product seller buyer stage calendar job operation rule position`.split(
    /\s+/,
  ),
)

/**
 * What an event says of an edit: its ids and states, and under `members` the names of all that it changed. Texts are left out,
 * whatever member holds them.
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
