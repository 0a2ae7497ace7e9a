import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../database.ts'
import { few } from '../lists.ts'
import { hasTag } from '../people/list.ts'

// Conversations by a label of their own, or by a product that their person is tagged with. Neither has an index in the order
// of the list, so a rare mark is read whole, and a common one is met soon on the way through the list.

/** The ids of the labels and products that a filter means. */
export type Marks = { labels: string[]; products: string[] }

/** A label by id or, ignoring case, by name, and a product by id or name. */
export async function findMarks(db: Db, workspace: string, label: string): Promise<Marks> {
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
export async function isRareMark(db: Db, workspace: string, marks: Marks): Promise<boolean> {
  const atMostFew = (rows: RawBuilder<unknown>) =>
    sql`(select count(*) from (${rows}) as marked) <= ${few}`
  const { rows } = await sql<{ rare: boolean }>`
    select case when ${atMostFew(labelled(marks))} and ${atMostFew(tagged(marks))}
      then ${atMostFew(ofTagged(workspace, marks))} else false end as rare`.execute(db)
  return rows[0]?.rare ?? true
}

/** The ids of all conversations that have a rare mark. */
export const listMarked = (workspace: string, marks: Marks) =>
  sql`(${labelled(marks)}) union all (${ofTagged(workspace, marks)})`

/**
 * For a query of conversations: whether one has a mark. The planner does not turn it into a join, whatever it expects, and it
 * looks a label up by its conversation: as an expression, the label is in no index.
 */
export const hasMark = ({ labels, products }: Marks) => sql<SqlBool>`(
  (select count(*) from conversation_labels cl
    where cl.conversation = conversations.id and cl.label || '' = any(${labels}::text[])) > 0
  or ${hasTag({ products }, sql`conversations.person`)})`
