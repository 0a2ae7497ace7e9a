import {
  type Expression,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type { Address } from '../../rules/addresses.ts'
import type { Side } from '../../rules/sides.ts'
import type { Db } from '../database.ts'
import { type Changes, isChange } from '../events/changes.ts'
import { few, partOf } from '../lists.ts'
import { findByParts, mayHaveParts } from '../parts.ts'
import type { Schema } from '../schema.ts'
import { byField, type FieldFilter, hasField, peopleWithField, planFields } from './fields.ts'
import type { PersonRow } from './people.ts'

// Lists of people. Tags have no order of names, so a rare tag is read whole, and a common one is met soon on the way through
// the names.

export type PeopleFilter = {
  q?: string
  label?: string
  side?: Side
  externalId?: string
  /** Each of these. */
  addresses?: readonly Address[]
  fields?: readonly FieldFilter[]
  changes?: Changes
}

/** A person with the text that the list is ordered by. */
export type ListedPerson = PersonRow & { sortName: string }

/**
 * A page of people by lower(name), id, which puts the nameless first; of changes by updatedAt, id. `after` is [sortName, id] or
 * [updatedAt, id] of the last row seen.
 * `q` looks for words, each a part of the name, company, job title, city or an address: if few people can have them, these are read,
 * and otherwise they are met soon on the way through the list. `label` is a product id.
 */
export async function listPeople(
  db: Db,
  workspace: string,
  filter: PeopleFilter,
  after: readonly string[] | undefined,
  limit: number,
): Promise<ListedPerson[]> {
  const { changes, q, externalId, addresses: [address, ...addresses] = [], fields = [] } = filter
  const tag = await findTag(db, workspace, filter)
  const isFew = tag !== undefined && (await isRare(db, tag))
  // What leads to the fewest people comes first: an id, an address, a rare tag, a field.
  const isNarrow = externalId !== undefined || address !== undefined || isFew
  const words = q === undefined ? undefined : q.trim().split(/\s+/).slice(0, mostWords)
  const found =
    words && !isNarrow ? await findByParts(db, workspace, 'person', words.join(' ')) : undefined
  const plan = isNarrow || found ? undefined : await planFields(db, workspace, fields)
  const listed =
    plan && !changes
      ? byField(db, workspace, plan.lead, after)
      : inOrder(db, workspace, { changes, externalId }, after, ids())
  const conditions = [
    ...fields.map(hasField),
    ...(words ? [matchesText(workspace, words)] : []),
    ...addresses.map(hasAddress),
    ...(tag && (!isFew || address) ? [hasTag(tag, sql`people.id`)] : []),
  ]
  if (conditions.length === 0) return listed.limit(limit).execute()
  const page = firstOf(db, listed, conditions, limit).as('page')
  const shown = db.selectFrom(page).selectAll()
  return (changes ? shown.orderBy('updatedAt') : shown.orderBy('sortName')).orderBy('id').execute()

  /** The ids of the people it can be, if they are few. */
  function ids() {
    if (address) return peopleAt(workspace, address)
    if (tag && isFew) return tagged(tag)
    if (found) return sql`select unnest(${found}::text[])`
    return plan?.isFew ? peopleWithField(workspace, plan.lead) : undefined
  }
}

/** The people of a workspace in the order of the list; with `ids`, only these. */
function inOrder(
  db: Db,
  workspace: string,
  { changes, externalId }: { changes: Changes | undefined; externalId: string | undefined },
  after: readonly string[] | undefined,
  ids: RawBuilder<unknown> | undefined,
) {
  const people = ids
    ? sql<PersonRow>`(select * from people
        where workspace = ${workspace} and id = any(array(${ids})) offset 0)`
    : sql<PersonRow>`people`
  let listed = db
    .selectFrom(people.as('people'))
    .selectAll('people')
    .select(sql<string>`lower(name)`.as('sortName'))
    .where('workspace', '=', workspace)
    .where('erasedAt', 'is', null)
  if (externalId !== undefined) listed = listed.where('externalId', '=', externalId)
  if (changes) listed = listed.where(isChange('people', changes, after)).orderBy('updatedAt')
  else {
    if (after) listed = listed.where(isBehind(after))
    listed = listed.orderBy(sql`lower(name)`)
  }
  return listed.orderBy('id')
}

/**
 * The first of a list that fulfil conditions, in its order. "Offset 0" keeps the conditions out of the list: Postgres walks or
 * sorts it first, and checks no more rows than the page needs, whatever it expects of the conditions.
 */
export const firstOf = (
  db: Db,
  ordered: SelectQueryBuilder<Schema, 'people', ListedPerson>,
  conditions: Expression<SqlBool>[],
  limit: number,
) =>
  db
    .selectFrom(ordered.offset(sql.lit(0)).as('people'))
    .selectAll()
    .where((eb) => eb.and(conditions))
    .limit(limit)

/** For a list of people by name: those behind the last one seen. */
export const isBehind = (after: readonly string[]) =>
  sql<SqlBool>`(lower(name), id) > (${after[0]}, ${after[1]})`

const mostWords = 10

/** Each word must occur, in any order and regardless of case and accents. As a count, what is looked up is that of one person. */
function matchesText(workspace: string, words: string[]) {
  const text = sql`regexp_replace(normalize(name || ' ' || company || ' ' || job_title || ' ' || city, nfd), '[\\u0300-\\u036f]', '', 'g')`
  const each = words.map((word) => {
    const plain = word.normalize('NFD').replace(/[\u0300-\u036f]/g, '')
    const part = partOf(word)
    return sql`(${text} ilike ${partOf(plain)}
      or (select count(*) from addresses
        where person = people.id and (value ilike ${part} or given ilike ${part})) > 0)`
  })
  // One after the other: the words of most cards say no.
  return sql<SqlBool>`case when ${mayHaveParts(workspace, words.join(' '))} then ${sql.join(each, sql` and `)} else false end`
}

const peopleAt = (workspace: string, { kind, value }: Address) =>
  sql`select person from addresses where workspace = ${workspace} and kind = ${kind} and value = ${value}`

const hasAddress = ({ kind, value }: Address) =>
  sql<SqlBool>`exists (select from addresses a where a.person = people.id and a.kind = ${kind} and a.value = ${value})`

export type Tag = { products: string[]; side?: Side | undefined }

/** The products and the side that a filter means; undefined if it means all people. */
async function findTag(
  db: Db,
  workspace: string,
  { label, side }: PeopleFilter,
): Promise<Tag | undefined> {
  if (label === undefined && side === undefined) return undefined
  let found = db.selectFrom('products').select('id').where('workspace', '=', workspace)
  if (label !== undefined) found = found.where('id', '=', label)
  return { products: (await found.execute()).map(({ id }) => id), side }
}

// The order of the index makes the planner use it, whatever it expects to find, and the limit bounds what is read.
const tagged = ({ products, side }: Tag) => sql`
  select t.person from unnest(${products}::text[]) as of(label)
  cross join lateral (
    select person from person_tags
    where label = of.label and removed_at is null ${side === undefined ? sql`` : sql`and side = ${side}`}
    order by side, person limit ${few + 1}) t
  limit ${few + 1}`

/** Whether at most a few people have such a tag. */
async function isRare(db: Db, tag: Tag): Promise<boolean> {
  const { rows } = await sql<{ rare: boolean }>`
    select count(*) <= ${few} as rare from (${tagged(tag)}) as tagged`.execute(db)
  return rows[0]?.rare ?? true
}

/**
 * For a query: whether this person has such a tag. The planner does not turn it into a join, whatever it expects, and it looks
 * a tag up by its person: the indexes by label hold current tags alone, which it does not recognise in `num_nulls`.
 */
export const hasTag = ({ products, side }: Tag, person: RawBuilder<unknown>) => sql<SqlBool>`(
  select count(*) from person_tags t
  where t.person = ${person} and t.label = any(${products}::text[]) and num_nulls(t.removed_at) = 1
    ${side === undefined ? sql`` : sql`and t.side = ${side}`}) > 0`
