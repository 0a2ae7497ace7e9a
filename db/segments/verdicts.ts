import { sql } from 'kysely'
import type { Rule } from '../../rules/judge/judge.ts'
import { type Condition, conditionsOf } from '../../rules/judge/member-rules.ts'
import type { JudgedPerson } from '../../rules/judge/person.ts'
import type { Db, Trx } from '../database.ts'

// Judging works on sets: a page of people without a verdict of the segment's version is read with everything on their cards,
// and their verdicts are written in one statement. The rows say what remains, so any call can continue. No query joins people
// with verdicts: on tables that were just filled and not yet analysed, such a join becomes a loop over every pair (10 s for
// 20,000).

type Judging = { id: string; workspace: string; version: number }

/** A person to be judged, and the places of those rules on members of the card that fit. */
export type Candidate = JudgedPerson & { fitting: number[] }

/**
 * The next `limit` people, by id after `after`, that this version of the segment has not judged; with `changed`, also those
 * whose card or tags have changed since their verdict. What rules ask of members of the card is compared here, each value in the form
 * in which the list of people finds it; numbers are compared with numbers alone.
 */
export async function listUnjudged(
  db: Db,
  segment: Judging & { rules: Rule[] },
  after: string,
  limit: number,
  changed = false,
): Promise<Candidate[]> {
  const conditions = conditionsOf(segment.rules)
  const { rows } = await sql<Candidate>`
    with ${conditions.length > 0 ? sql`${rulesAsRows(conditions)},` : sql``}
    page as (
      select p.id, p.name, p.city, p.job_title, p.company,
        ${conditions.length > 0 ? fittingRules : sql`'{}'::int[]`} as fitting
      from people p
      where p.workspace = ${segment.workspace} and p.id > ${after} and p.erased_at is null
        and (select version from segment_people where segment = ${segment.id} and person = p.id
            and (not ${changed} or at > greatest(p.updated_at,
              (select max(greatest(added_at, removed_at)) from person_tags where person = p.id))))
          is distinct from ${segment.version}
      order by p.id
      limit ${limit})
    select page.*, a.emails, a.phones, a.linkedin, t.tags
    from page
    cross join lateral (
      select
        coalesce(array_agg(given order by position) filter (where kind = 'email'), '{}') as emails,
        coalesce(array_agg(value order by position) filter (where kind = 'phone'), '{}') as phones,
        coalesce(array_agg(given order by position) filter (where kind = 'linkedin'), '{}') as linkedin
      from addresses where person = page.id) a
    cross join lateral (
      select coalesce(json_agg(json_build_object('label', products.name, 'side', person_tags.side)), '[]') as tags
      from person_tags join products on products.id = person_tags.label
      where person = page.id and removed_at is null) t
    order by page.id`.execute(db)
  return rows
}

const rulesAsRows = (conditions: Condition[]) => sql`rules as materialized (
      select n, member, name, "exists" as is_there, at_least, at_most, case when member in ('company', 'city', 'jobTitle')
        then (select array_agg(lower(trim(value))) from unnest("in") value) else "in" end as wanted
      from jsonb_to_recordset(${JSON.stringify(conditions)}::jsonb)
        as rule (n int, member text, name text, "in" text[], "exists" boolean, "atLeast" jsonb, "atMost" jsonb)
      cross join lateral (select nullif("atLeast", 'null'::jsonb) as at_least, nullif("atMost", 'null'::jsonb) as at_most) bounds)`

/** For a query of people `p`: the places of the rules that fit. */
const fittingRules = sql`array(
          select n from rules cross join lateral (
            select case member
              when 'company' then array_remove(array[lower(trim(p.company))], '')
              when 'city' then array_remove(array[lower(trim(p.city))], '')
              when 'jobTitle' then array_remove(array[lower(trim(p.job_title))], '')
              when 'externalId' then array_remove(array[p.external_id], null)
              when 'tag' then array(select unnest(array[products.id, products.name])
                from person_tags join products on products.id = person_tags.label
                where person = p.id and removed_at is null)
              else array_remove(array[p.fields ->> rules.name], null) end as held,
              case when jsonb_typeof(p.fields -> rules.name) = 'number' then p.fields -> rules.name end as number) card
          where (wanted is null or wanted && held)
            and (is_there is null or is_there = (cardinality(held) > 0))
            and (at_least is null or number >= at_least) and (at_most is null or number <= at_most)
          order by n)`

/**
 * Those of these people who have no verdict of this version from `since` or later: another call may have judged them meanwhile.
 */
export async function listStillUnjudged(
  db: Db,
  segment: Pick<Judging, 'id' | 'version'>,
  people: string[],
  since: Date | null,
): Promise<Set<string>> {
  let judged = db
    .selectFrom('segmentPeople')
    .select('person')
    .where('segment', '=', segment.id)
    .where('version', '=', segment.version)
    .where('person', 'in', people)
  if (since) judged = judged.where('at', '>=', since)
  const done = new Set((await judged.execute()).map(({ person }) => person))
  return new Set(people.filter((person) => !done.has(person)))
}

export type NewVerdict = { person: string; matches: boolean; reason: string }

/**
 * Writes verdicts of the segment's version; answers how many match. People added by hand stay so, and nobody who was taken out
 * matches.
 */
export async function insertVerdicts(
  trx: Trx,
  segment: Pick<Judging, 'id' | 'version'>,
  verdicts: NewVerdict[],
  at: Date,
): Promise<number> {
  const { rows } = await sql<{ matched: number }>`with written as (
    insert into segment_people (segment, person, matches, reason, version, at)
    select ${segment.id}, v.person, v.matches, v.reason, ${segment.version}, ${at}::timestamptz
    from unnest(
      ${verdicts.map(({ person }) => person)}::text[],
      ${verdicts.map(({ matches }) => matches)}::boolean[],
      ${verdicts.map(({ reason }) => reason)}::text[]) as v (person, matches, reason)
    join people on people.id = v.person and people.erased_at is null
    on conflict (segment, person) do update
    set matches = excluded.matches and not segment_people.taken_out, reason = excluded.reason, version = excluded.version,
      at = excluded.at
    returning segment_people.matches)
    select count(*) filter (where matches)::int as matched from written`.execute(trx)
  return rows[0]?.matched ?? 0
}

/** How many people of the workspace this version has not judged. */
export async function countUnjudged(db: Db, segment: Judging): Promise<number> {
  const { rows } = await sql<{ remaining: number }>`
    select ((select count(*) from people where workspace = ${segment.workspace} and erased_at is null) -
      (select count(*) from segment_people where segment = ${segment.id} and version = ${segment.version}))::int as remaining`.execute(
    db,
  )
  return rows[0]?.remaining ?? 0
}

/** What one call has judged so far. It is kept in the operation, so that a retry continues to count. */
export type Judged = { judged: number; matched: number }

export async function findJudged(db: Db, operation: string): Promise<Judged> {
  const row = await db
    .selectFrom('operations')
    .select('result')
    .where('id', '=', operation)
    .executeTakeFirst()
  return (row?.result as Judged | null | undefined) ?? { judged: 0, matched: 0 }
}

export const updateJudged = (trx: Trx, operation: string, judged: Judged) =>
  trx
    .updateTable('operations')
    .set({ result: JSON.stringify(judged) })
    .where('id', '=', operation)
    .where('endedAt', 'is', null)
    .execute()
