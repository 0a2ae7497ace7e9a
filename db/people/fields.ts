import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { type OwnKind, withoutExponent } from '../../rules/own-fields.ts'
import type { Db } from '../database.ts'
import { few } from '../lists.ts'
import type { Schema } from '../schema.ts'
import type { PersonRow } from './people.ts'

// People by the client's own fields. The values stand in an index in the order of names (migrations/0100-foundation/people.ts), so a
// page of those who have one is read as it is listed. Of several fields, the one that the fewest people have leads.

export type FieldFilter = readonly [name: string, value: string]

/**
 * The field that the fewest of these people have, and whether they are only a few; undefined if there is none.
 */
export async function planFields(
  db: Db,
  workspace: string,
  filters: readonly FieldFilter[],
): Promise<{ lead: FieldFilter; isFew: boolean } | undefined> {
  let best: { lead: FieldFilter; n: number } | undefined
  for (const lead of filters) {
    const n = await countFew(db, workspace, lead)
    if (!best || n < best.n) best = { lead, n }
  }
  return best && { lead: best.lead, isFew: best.n <= few }
}

function having(workspace: string, [name, value]: FieldFilter) {
  const number = withoutExponent(value)
  const values =
    number === undefined
      ? sql`v.value = field_key(${value})`
      : sql`v.value in (field_key(${value}), field_key(${number}))`
  return sql<SqlBool>`v.workspace = ${workspace} and v.field = ${name} and ${values}`
}

/** The ids of the first people with a field. */
export const peopleWithField = (workspace: string, filter: FieldFilter) =>
  sql`select v.person from person_fields v where ${having(workspace, filter)}
    order by v.sort_name, v.person limit ${few + 1}`

async function countFew(db: Db, workspace: string, filter: FieldFilter): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (${peopleWithField(workspace, filter)}) as first`.execute(db)
  return rows[0]?.n ?? 0
}

type ListedPerson = PersonRow & { sortName: string }

/**
 * A query of people with a field in the order of names. As a lateral query with a limit, each is looked up by id. It can be
 * limited and narrowed like a query of people.
 */
export const byField = (
  db: Db,
  workspace: string,
  lead: FieldFilter,
  after: readonly string[] | undefined,
) =>
  db
    .selectFrom('personFields as v')
    .innerJoinLateral(
      sql<PersonRow>`(select * from people where id = v.person and workspace = ${workspace} limit 1)`.as(
        'people',
      ),
      (join) => join.onTrue(),
    )
    .selectAll('people')
    .select('v.sortName')
    .where(having(workspace, lead))
    .$if(after !== undefined, (query) =>
      query.where(sql<SqlBool>`(v.sort_name, v.person) > (${after?.[0]}, ${after?.[1]})`),
    )
    .orderBy('v.sortName')
    .orderBy('v.person') as unknown as SelectQueryBuilder<Schema, 'people', ListedPerson>

/** For a query of people: whether they have this field. */
export function hasField([name, value]: FieldFilter) {
  const is = sql<SqlBool>`(people.fields ->> ${name}::text) is not distinct from ${value}::text`
  const number = withoutExponent(value)
  if (number === undefined) return is
  return sql<SqlBool>`(${is} or (people.fields ->> ${name}::text is not distinct from ${number}::text
    and jsonb_typeof(people.fields -> ${name}::text) = 'number'))`
}

// So many people show of what kind the values of a field are.
const sample = 20

/** The kind of the values that people of a workspace have in these fields; a field whose values are of several kinds is absent. */
export async function findKinds(
  db: Db,
  workspace: string,
  fields: string[],
): Promise<Map<string, OwnKind>> {
  if (fields.length === 0) return new Map()
  const { rows } = await sql<{ field: string; kind: OwnKind }>`
    select names.field, min(jsonb_typeof(people.fields -> names.field)) as kind
    from unnest(${fields}::text[]) as names (field)
    cross join lateral (
      select person from person_fields f where f.workspace = ${workspace} and f.field = names.field limit ${sample}) shown
    join people on people.id = shown.person and people.workspace = ${workspace}
    group by names.field
    having count(distinct jsonb_typeof(people.fields -> names.field)) = 1`.execute(db)
  return new Map(rows.map(({ field, kind }) => [field, kind]))
}
