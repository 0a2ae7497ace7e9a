import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { channelKinds } from '../../rules/channels.ts'
import { type Importance, type Intent, importances, intents } from '../../rules/intents.ts'
import { compiledOnce } from '../compiled.ts'
import type { Db } from '../database.ts'
import { type Changes, isChange } from '../events/changes.ts'
import { few, partOf } from '../lists.ts'
import { findByParts } from '../parts.ts'
import { hasTag } from '../people/list.ts'
import { conversationRows } from './conversations.ts'
import { type ConversationState, conversationStates } from './tables.ts'

// Lists of conversations. A page costs the same however many conversations a workspace has: each combination of state, owner,
// kind and person is read from an index in the order of the list. In the other orders there is no such index, and neither is
// there one of labels, of what clients want or of accounts: what only few conversations fulfil is read whole and sorted, and what
// many fulfil is met soon on the way through all. One file, because each combination of filter and order is read in one of these ways.

export type ConversationFilter = {
  state?: ConversationState | undefined
  /** A member id, or null for conversations nobody owns. */
  owner?: string | null | undefined
  /**
   * A label by id or, ignoring case, by name; or a product by id or name, which finds conversations whose person carries its
   * tag.
   */
  label?: string | undefined
  kind?: string | undefined
  person?: string | undefined
  waitingFor?: 'us' | 'client' | undefined
  importance?: Importance | undefined
  intent?: Intent | undefined
  /** A connection by id or, ignoring case, by account. */
  via?: string | undefined
  /** Words to look for in the subject and in the person's name. */
  q?: string | undefined
  changes?: Changes | undefined
}

export type ConversationOrder = { by: 'lastMessageAt' | 'waitingSince'; newestFirst: boolean }
export const usualOrder: ConversationOrder = { by: 'lastMessageAt', newestFirst: true }

type After = readonly [string, ...string[]] | undefined
type Condition = RawBuilder<SqlBool>

/**
 * In an order, by default newest first; of changes by updatedAt, id. `after` is the (lastMessageAt, id), (waitingSince, id) or
 * (updatedAt, id) of the last row of the page before. Up to `limit` rows.
 */
export async function listConversations(
  db: Db,
  workspace: string,
  filter: ConversationFilter,
  after: After,
  limit: number,
  by: ConversationOrder = usualOrder,
) {
  const { changes } = filter
  const isUsual = by.by === 'lastMessageAt' && by.newestFirst
  const isWhole = !isNarrowed(filter) && !isMarked(filter) && filter.q === undefined && !changes
  if (isWhole && isUsual && !after && limit === usualPage) return newestConversations(db, workspace)
  const place = changes
    ? [isChange('conversations', changes, after)]
    : after
      ? [isBehind(by, after)]
      : []
  const order = changes ? sql`updated_at, id` : inOrder(by)
  const rows = conversationRows(db).where('conversations.workspace', '=', workspace)
  const direction = by.newestFirst ? 'desc' : 'asc'
  const ordered = changes
    ? rows.orderBy('conversations.updatedAt').orderBy('conversations.id')
    : rows.orderBy(`conversations.${by.by}`, direction).orderBy('conversations.id', direction)

  const { all, conditions } = await narrow(
    db,
    workspace,
    filter,
    changes || by.by !== 'lastMessageAt',
  )
  if (all)
    return ordered
      .where(
        isOneOf(sql`select id from (${ofThese(workspace, all)}) conversations
        where ${every([...plain(filter), ...place, ...conditions])} order by ${order} limit ${limit}`),
      )
      .execute()
  const isByWaiting = !changes && by.by === 'waitingSince'
  if (!isByWaiting && (changes || !isNarrowed(filter))) {
    const some = [...plain(filter), ...place]
    if (conditions.length === 0) return ordered.where(every(some)).limit(limit).execute()
    const first = firstOf(workspace, some, conditions, order, limit)
    return ordered.where(isOneOf(sql`select id from (${first}) as first`)).execute()
  }
  const branches = isByWaiting
    ? waitingBranches(workspace, filter, place, conditions, order, limit)
    : branchesOf(workspace, filter, place, conditions, order, limit)
  return ordered
    .where(isOneOf(sql`select id from (${branches}) as merged order by ${order} limit ${limit}`))
    .execute()
}

/**
 * What of a filter no index has in the order of the list, as conditions; and the ids of all conversations that the filter can mean,
 * if they are few. `unordered`: there is no index of the rest of the filter either.
 */
export async function narrow(
  db: Db,
  workspace: string,
  filter: ConversationFilter,
  unordered: unknown,
): Promise<{ all?: RawBuilder<unknown>; conditions: Condition[] }> {
  const { label, q, waitingFor, importance, intent, via } = filter
  const conditions = [
    ...(q === undefined ? [] : [mentions(q)]),
    ...(waitingFor === undefined ? [] : [sql<SqlBool>`waiting_for = ${waitingFor}`]),
    ...(importance === undefined ? [] : [sql<SqlBool>`importance = ${importance}`]),
    ...(intent === undefined ? [] : [sql<SqlBool>`intent = ${intent}`]),
  ]
  const connections = via === undefined ? undefined : await findConnections(db, workspace, via)
  if (connections) conditions.push(sql<SqlBool>`connection = any(${connections}::text[])`)
  if (label !== undefined) {
    const marks = await findMarks(db, workspace, label)
    if (await isRareMark(db, workspace, marks))
      return { all: listMarked(workspace, marks), conditions }
    conditions.push(hasMark(marks))
  }
  const mentioned = q === undefined ? undefined : await listMentioning(db, workspace, q)
  if (mentioned) return { all: mentioned, conditions }
  const lists = [
    ...(connections ? [listThrough(workspace, filter, connections)] : []),
    ...((importance ?? intent) ? [listWanting(workspace, filter)] : []),
    ...(waitingFor ? [listWaiting(workspace, filter)] : []),
    ...(unordered && isNarrowed(filter) ? [listFew(workspace, filter)] : []),
  ]
  for (const all of lists) if (await isFew(db, all)) return { all, conditions }
  return { conditions }
}

/** These conversations, read by their ids whatever else is asked of them. */
export const ofThese = (workspace: string, ids: RawBuilder<unknown>) =>
  sql`select * from conversations where workspace = ${workspace} and id = any(array(${ids})) offset 0`

/**
 * The first of some conversations that fulfil conditions, in an order. "Offset 0" keeps the conditions out of the list: Postgres
 * walks or sorts it first, and checks no more rows than the page needs, whatever it expects of the conditions.
 */
const firstOf = (
  workspace: string,
  some: Condition[],
  conditions: Condition[],
  order: RawBuilder<unknown>,
  limit: number,
) => {
  const ordered = sql`from conversations where workspace = ${workspace} and ${every(some)} order by ${order}`
  return conditions.length === 0
    ? sql`select id, last_message_at, waiting_since ${ordered} limit ${limit}`
    : sql`select id, last_message_at, waiting_since from (select * ${ordered} offset 0) conversations
        where ${every(conditions)} limit ${limit}`
}

/** What clients ask for most: the first page of all, with the row that shows whether there is a second. */
const usualPage = 51
const newestConversations = compiledOnce((db, workspace: string) =>
  conversationRows(db)
    .where('conversations.workspace', '=', workspace)
    .orderBy('lastMessageAt', 'desc')
    .orderBy('conversations.id', 'desc')
    .limit(usualPage),
)

const columns = {
  lastMessageAt: sql.ref('conversations.lastMessageAt'),
  waitingSince: sql.ref('conversations.waitingSince'),
}
const isBehind = ({ by, newestFirst }: ConversationOrder, after: readonly string[]) =>
  sql<SqlBool>`(${columns[by]}, conversations.id) ${newestFirst ? sql`<` : sql`>`} (${after[0]}::timestamptz, ${after[1]})`

export const inOrder = ({ by, newestFirst }: ConversationOrder) => {
  const column = by === 'lastMessageAt' ? sql`last_message_at` : sql`waiting_since`
  return newestFirst ? sql`${column} desc, id desc` : sql`${column}, id`
}
const isOneOf = (ids: RawBuilder<unknown>) => sql<SqlBool>`conversations.id = any(array(${ids}))`

const isNarrowed = ({ state, owner, kind, person }: ConversationFilter) =>
  [state, owner, kind, person].some((given) => given !== undefined)

const isMarked = ({ label, waitingFor, importance, intent, via }: ConversationFilter) =>
  [label, waitingFor, importance, intent, via].some((given) => given !== undefined)

/**
 * Conversations that a filter narrows, each index read by itself: the indexes are of a person and a state, or of an owner, a
 * kind and a state, and what the filter leaves open of these is enumerated.
 */
export function branchesOf(
  workspace: string,
  filter: ConversationFilter,
  place: Condition[],
  conditions: Condition[],
  order: RawBuilder<unknown>,
  limit: number,
) {
  const { kind, state, person } = filter
  const kinds = kind === undefined && person === undefined ? channelKinds : [kind]
  const states = state === undefined ? conversationStates : [state]
  const branches = kinds.flatMap((kind) =>
    states.map((state) => {
      const some = [...plain({ ...filter, kind, state }), ...place]
      return sql`(${firstOf(workspace, some, conditions, order, limit)})`
    }),
  )
  return sql.join(branches, sql` union all `)
}

/** The same in the order of `waiting_since`, whose index has whose message is awaited and the state. */
export function waitingBranches(
  workspace: string,
  filter: ConversationFilter,
  place: Condition[],
  conditions: Condition[],
  order: RawBuilder<unknown>,
  limit: number,
) {
  const { state, waitingFor, ...others } = filter
  const branches = (waitingFor ? [waitingFor] : (['us', 'client'] as const)).flatMap((waitingFor) =>
    (state ? [state] : conversationStates).map((state) => {
      const some = [sql<SqlBool>`waiting_for = ${waitingFor}`, ...plain({ state }), ...place]
      const rest = [...plain(others), ...conditions]
      return sql`(${firstOf(workspace, some, rest, order, limit)})`
    }),
  )
  return sql.join(branches, sql` union all `)
}

// The ids of conversations, up to one more than a few. The order makes the planner use the index, whatever it expects to find.
const listFew = (workspace: string, filter: ConversationFilter) =>
  sql`select id from (${branchesOf(workspace, filter, [], [], inOrder(usualOrder), few + 1)}) as every limit ${few + 1}`

const listWaiting = (workspace: string, filter: ConversationFilter) =>
  sql`select id from (${waitingBranches(workspace, { state: filter.state, waitingFor: filter.waitingFor }, [], [], sql`waiting_since, id`, few + 1)}) as every limit ${few + 1}`

const listWanting = (workspace: string, { intent, importance, state }: ConversationFilter) =>
  anyOf(
    (intent ? [intent] : intents).flatMap((intent) =>
      (importance ? [importance] : importances).map(
        (importance) =>
          sql`select id from conversations where workspace = ${workspace} and intent = ${intent}
            and importance = ${importance} and ${every(plain({ state }))} order by state, id limit ${few + 1}`,
      ),
    ),
  )

const listThrough = (
  workspace: string,
  { state }: ConversationFilter,
  connections: string[],
) => sql`select c.id from unnest(${connections}::text[]) as of(connection)
  cross join lateral (
    select id from conversations where workspace = ${workspace} and connection = of.connection
      and ${every(plain({ state }))} order by state, id limit ${few + 1}) c
  limit ${few + 1}`

const anyOf = (lists: RawBuilder<unknown>[]) =>
  sql`select id from (${sql.join(
    lists.map((list) => sql`(${list})`),
    sql` union all `,
  )}) as every limit ${few + 1}`

/** Whether a list of ids has only a few. */
async function isFew(db: Db, ids: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ few: boolean }>`
    select count(*) <= ${few} as few from (${ids}) as first`.execute(db)
  return rows[0]?.few ?? true
}

async function findConnections(db: Db, workspace: string, via: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from connections where workspace = ${workspace} and (id = ${via} or lower(account) = lower(${via}))`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

// The owner is compared as the index has it: with "is null", the order of an index cannot be used.
export const plain = ({ state, owner, kind, person }: ConversationFilter): Condition[] => [
  ...(owner === undefined ? [] : [sql<SqlBool>`coalesce(owner, '') = ${owner ?? ''}`]),
  ...(kind === undefined ? [] : [sql<SqlBool>`kind = ${kind}`]),
  ...(state === undefined ? [] : [sql<SqlBool>`state = ${state}`]),
  ...(person === undefined ? [] : [sql<SqlBool>`person = ${person}`]),
]

export const every = (conditions: Condition[]): Condition =>
  conditions.length > 0 ? sql<SqlBool>`${sql.join(conditions, sql` and `)}` : sql<SqlBool>`true`

/** The ids of conversations that may mention words, by their subjects and by their people; undefined if they may be many. */
async function listMentioning(db: Db, workspace: string, words: string) {
  const subjects = await findByParts(db, workspace, 'conversation', words)
  const people = subjects && (await findByParts(db, workspace, 'person', words))
  if (!people) return undefined
  return sql`select unnest(${subjects}::text[]) union
    select id from conversations where workspace = ${workspace} and person = any(${people}::text[])`
}

const mentions = (words: string) => {
  const part = partOf(words)
  return sql<SqlBool>`(subject ilike ${part}
    or (select p.name from people p where p.id = conversations.person) ilike ${part})`
}

// Conversations by a label of their own, or by a product that their person is tagged with. Neither has an index in the order
// of the list, so a rare mark is read whole, and a common one is met soon on the way through the list.

/** The ids of the labels and products that a filter means. */
export type Marks = { labels: string[]; products: string[] }

/** A label by id or, ignoring case, by name, and a product by id or name. */
async function findMarks(db: Db, workspace: string, label: string): Promise<Marks> {
  const { rows } = await sql<{ id: string; product: boolean }>`
    select id, false as product from labels
    where workspace = ${workspace} and (id = ${label} or lower(name) = lower(${label}))
    union all
    select id, true from products where workspace = ${workspace} and (id = ${label} or name = ${label})`.execute(
    db,
  )
  const of = (product: boolean) => rows.filter((row) => row.product === product).map(({ id }) => id)
  return { labels: of(false), products: of(true) }
}

// The order of the index makes the planner use it, whatever it expects to find, and the limits bound what is read.
const labelled = ({ labels }: Marks) => sql`
  select l.conversation as id from unnest(${labels}::text[]) as of(label)
  cross join lateral (
    select conversation from conversation_labels where label = of.label
    order by conversation limit ${few + 1}) l
  limit ${few + 1}`
const tagged = ({ products }: Marks) => sql`
  select t.person from unnest(${products}::text[]) as of(label)
  cross join lateral (
    select person from person_tags where label = of.label and removed_at is null
    order by side, person limit ${few + 1}) t
  limit ${few + 1}`
const ofTagged = (workspace: string, marks: Marks) => sql`
  select c.id from (${tagged(marks)}) t
  cross join lateral (
    select id from conversations where workspace = ${workspace} and person = t.person
    order by state, last_message_at desc, id desc limit ${few + 1}) c
  limit ${few + 1}`

/** Whether at most a few conversations have one of these marks, and at most a few people. */
async function isRareMark(db: Db, workspace: string, marks: Marks): Promise<boolean> {
  const atMostFew = (rows: RawBuilder<unknown>) =>
    sql`(select count(*) from (${rows}) as marked) <= ${few}`
  const { rows } = await sql<{ rare: boolean }>`
    select case when ${atMostFew(labelled(marks))} and ${atMostFew(tagged(marks))}
      then ${atMostFew(ofTagged(workspace, marks))} else false end as rare`.execute(db)
  return rows[0]?.rare ?? true
}

/** The ids of all conversations that have a rare mark. */
const listMarked = (workspace: string, marks: Marks) =>
  sql`(${labelled(marks)}) union all (${ofTagged(workspace, marks)})`

/**
 * For a query of conversations: whether one has a mark. The planner does not turn it into a join, whatever it expects, and it
 * looks a label up by its conversation: as an expression, the label is in no index.
 */
const hasMark = ({ labels, products }: Marks) => sql<SqlBool>`(
  (select count(*) from conversation_labels cl
    where cl.conversation = conversations.id and cl.label || '' = any(${labels}::text[])) > 0
  or ${hasTag({ products }, sql`conversations.person`)})`
