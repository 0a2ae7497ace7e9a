import { type RawBuilder, sql } from 'kysely'
import { channelKinds } from '../../rules/channels.ts'
import type { Db } from '../database.ts'
import {
  branchesOf,
  type ConversationFilter,
  every,
  inOrder,
  narrow,
  ofThese,
  plain,
  usualOrder,
  waitingBranches,
} from './list.ts'
import type { ConversationState } from './tables.ts'

// How many conversations an inbox has to deal with. No count goes further than `mostCounted`, so that it costs about the same
// however many conversations a workspace has.

export const mostCounted = 10_000
const most = mostCounted + 1

type Filter = Omit<ConversationFilter, 'changes'>
type Narrowed = Awaited<ReturnType<typeof narrow>>
type Count = { id: string; count: number }

export type ConversationCounts = {
  open: number
  waitingForUs: number
  snoozed: number
  unowned: number
  byOwner: { member: string; count: number }[]
  byLabel: { label: string; count: number }[]
  /** A number is `mostCounted` because there are more. */
  more: boolean
}

/** Counts those of a filter: snoozed ones, and of open ones the rest. */
export async function countConversations(
  db: Db,
  workspace: string,
  filter: Filter,
): Promise<ConversationCounts> {
  const ofState = (state: ConversationState): Filter | undefined =>
    filter.state === undefined || filter.state === state ? { ...filter, state } : undefined
  const snoozing = ofState('snoozed')
  const opening = ofState('open')
  const snoozed = snoozing ? await countSnoozed(db, workspace, snoozing) : 0
  const open = opening ? await countOpen(db, workspace, opening) : nothing
  const all = [open.open, open.waitingForUs, snoozed, open.unowned]
  const each = [...open.byOwner, ...open.byLabel].map(({ count }) => count)
  const bounded = (list: Count[]) =>
    list.map(({ id, count }) => ({ id, count: Math.min(count, mostCounted) }))
  return {
    open: Math.min(open.open, mostCounted),
    waitingForUs: Math.min(open.waitingForUs, mostCounted),
    snoozed: Math.min(snoozed, mostCounted),
    unowned: Math.min(open.unowned, mostCounted),
    byOwner: bounded(open.byOwner).map(({ id: member, count }) => ({ member, count })),
    byLabel: bounded(open.byLabel).map(({ id: label, count }) => ({ label, count })),
    more: [...all, ...each].some((count) => count > mostCounted),
  }
}

type Open = {
  open: number
  waitingForUs: number
  unowned: number
  byOwner: Count[]
  byLabel: Count[]
}
const nothing: Open = { open: 0, waitingForUs: 0, unowned: 0, byOwner: [], byLabel: [] }

async function countSnoozed(db: Db, workspace: string, filter: Filter): Promise<number> {
  const found = firstOf(workspace, filter, await narrow(db, workspace, filter, false))
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${found}) as found`.execute(db)
  return rows[0]?.count ?? 0
}

async function countOpen(db: Db, workspace: string, filter: Filter): Promise<Open> {
  const narrowed = await narrow(db, workspace, filter, false)
  const { rows } = await sql<Open>`
    with found as materialized (
      select id, owner, waiting_for from conversations
      where workspace = ${workspace} and id = any(array(${firstOf(workspace, filter, narrowed)})))
    select count(*)::int as open, count(*) filter (where waiting_for = 'us')::int as "waitingForUs",
      count(*) filter (where owner is null)::int as unowned,
      coalesce((select json_agg(json_build_object('id', owner, 'count', count) order by count desc, owner) from (
        select owner, count(*)::int from found where owner is not null group by owner) o), '[]') as "byOwner",
      coalesce((select json_agg(json_build_object('id', label, 'count', count) order by count desc, label) from (
        select label, count(*)::int from conversation_labels l join found on found.id = l.conversation
        group by label) l), '[]') as "byLabel"
    from found`.execute(db)
  const open = rows[0] ?? nothing
  return open.open > mostCounted
    ? { ...open, ...(await countApart(db, workspace, filter, narrowed)) }
    : open
}

/** Of more open ones than are counted at once: those that wait for us, and those of each owner, each counted by itself. */
async function countApart(db: Db, workspace: string, filter: Filter, { conditions }: Narrowed) {
  const order = sql`waiting_since, id`
  const waiting =
    filter.waitingFor === 'client'
      ? sql`select null where false`
      : waitingBranches(workspace, { ...filter, waitingFor: 'us' }, [], conditions, order, most)
  const { rows } = await sql<{ id: string; count: number }>`
    select '' as id, (select count(*)::int from (select from (${waiting}) as each limit ${most}) as waiting) as count
    union all
    select of.id, own.count from (
      select null::text as id union all select id from members where workspace = ${workspace}) of
    cross join lateral (
      select count(*)::int as count from (
        select from conversations
        where workspace = ${workspace} and coalesce(owner, '') = coalesce(of.id, '')
          and kind = any(${[...channelKinds]}::text[]) and ${every([...plain(filter), ...conditions])}
        limit ${most}) as owned) own`.execute(db)
  const [waitingForUs, ...owned] = rows
  return {
    waitingForUs: waitingForUs?.count ?? 0,
    unowned: owned.find(({ id }) => id === null)?.count ?? 0,
    byOwner: owned
      .filter(({ id, count }) => id !== null && count > 0)
      .sort((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1)),
  }
}

/** The ids of the conversations of a filter with a state: the newest, up to one more than are counted. */
function firstOf(
  workspace: string,
  filter: Filter,
  { all, conditions }: Narrowed,
): RawBuilder<unknown> {
  const which = every([...plain(filter), ...conditions])
  if (all)
    return sql`select id from (${ofThese(workspace, all)}) conversations where ${which} limit ${most}`
  const order = inOrder(usualOrder)
  const each = branchesOf(workspace, filter, [], conditions, order, most)
  return sql`select id from (${each}) as each order by ${order} limit ${most}`
}
