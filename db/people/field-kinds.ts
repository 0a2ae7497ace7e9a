import { sql } from 'kysely'
import type { OwnKind } from '../../rules/own-fields.ts'
import type { Db } from '../database.ts'

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
