import { sql } from 'kysely'
import type { JudgedPerson } from '../../rules/judge/person.ts'
import type { Db, Trx } from '../database.ts'

// Judging works on sets: a page of people without a verdict of the segment's version is read with everything on their cards,
// and their verdicts are written in one statement. The rows say what remains, so any call can continue. No query joins people
// with verdicts: on tables that were just filled and not yet analysed, such a join becomes a loop over every pair (10 s for
// 20,000).

type Judging = { id: string; workspace: string; version: number }

/**
 * The next `limit` people, by id after `after`, that this version of the segment has not judged; with `changed`, also those
 * whose card or tags have changed since their verdict.
 */
export async function listUnjudged(
  db: Db,
  segment: Judging,
  after: string,
  limit: number,
  changed = false,
): Promise<JudgedPerson[]> {
  const { rows } = await sql<JudgedPerson>`
    with page as (
      select p.id, p.name, p.city, p.job_title, p.company
      from people p
      where p.workspace = ${segment.workspace} and p.id > ${after}
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
    join people on people.id = v.person
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
    select ((select count(*) from people where workspace = ${segment.workspace}) -
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
