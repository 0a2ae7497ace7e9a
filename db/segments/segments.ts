import { type Selectable, type SqlBool, sql } from 'kysely'
import type { Rule as JudgedRule } from '../../rules/judge/judge.ts'
import type { Db, Trx } from '../database.ts'
import { newId } from '../ids.ts'
import { few } from '../lists.ts'
import { firstOf, isBehind, type ListedPerson } from '../people/list.ts'
import type { Segments } from './tables.ts'

export type SegmentRow = Selectable<Segments> & { members: number }
/** With further members, which are kept. */
export type Rule = JudgedRule & Record<string, unknown>

/** A segment as every answer shows it, also those of activities, which import nothing of api; instants are ISO texts. */
export const presentSegment = (row: SegmentRow) => ({
  id: row.id,
  name: row.name,
  query: row.query,
  rules: row.rules,
  refill: row.refill,
  saved: row.saved,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  members: row.members,
})

const segmentRows = (db: Db) =>
  db
    .selectFrom('segments')
    .selectAll('segments')
    .select(
      sql<number>`(select count(*)::int from segment_people sp where sp.segment = segments.id and (sp.matches or sp.by_hand))`.as(
        'members',
      ),
    )

/** All segments of a workspace, newest first. */
export const listSegments = (db: Db, workspace: string): Promise<SegmentRow[]> =>
  segmentRows(db)
    .where('workspace', '=', workspace)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()

export const findSegment = (
  db: Db,
  workspace: string,
  id: string,
): Promise<SegmentRow | undefined> =>
  segmentRows(db)
    .where('workspace', '=', workspace)
    .where('segments.id', '=', id)
    .executeTakeFirst()

/**
 * The next segment, in any workspace, that refills itself, and up to which person its people were gone through: the one whose turn is
 * longest ago, of those that had none since `since` (by default now) or are not done. It has its turn now, whatever comes of it.
 */
export async function takeRefill(db: Db, since: Date | undefined) {
  const { rows } = await sql<{ id: string; workspace: string; after: string; since: Date }>`
    with run as materialized (select coalesce(${since ?? null}::timestamptz, clock_timestamp()) as since),
    next as (
      select id, since from segments, run
      where refill and (coalesce(refilled_at, '-infinity') < since or refilled_to is not null)
      order by coalesce(refilled_at, '-infinity'), id limit 1)
    update segments set refilled_at = clock_timestamp() from next where segments.id = next.id
    returning segments.id, workspace, coalesce(refilled_to, '') as after, since`.execute(db)
  return rows[0]
}

/** Up to whom the people of a segment were gone through; null if its turn is over. */
export const keepRefill = (db: Db, segment: string, refilledTo: string | null) =>
  db.updateTable('segments').set({ refilledTo }).where('id', '=', segment).execute()

export const lockSegment = (trx: Trx, workspace: string, id: string) =>
  trx
    .selectFrom('segments')
    .selectAll()
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export type NewSegment = {
  workspace: string
  name: string
  query: string
  rules: Rule[]
  refill: boolean
}

/** Makes a draft and answers its id. */
export async function insertSegment(trx: Trx, segment: NewSegment, now: Date): Promise<string> {
  const id = newId('seg')
  await trx
    .insertInto('segments')
    .values({
      ...segment,
      id,
      rules: JSON.stringify(segment.rules),
      createdAt: now,
      updatedAt: now,
    })
    .execute()
  return id
}

export type SegmentEdit = {
  name?: string
  query?: string
  rules?: Rule[]
  refill?: boolean
  saved?: boolean
}

export async function updateSegment(
  trx: Trx,
  id: string,
  { rules, ...edit }: SegmentEdit,
  now: Date,
) {
  await trx
    .updateTable('segments')
    .set({ ...edit, ...(rules && { rules: JSON.stringify(rules) }), updatedAt: now })
    .where('id', '=', id)
    .execute()
}

/**
 * Everyone is to be judged again. The verdicts go at once, so that nobody is written to by the old words; people added by hand
 * stay, and people taken out stay out.
 */
export async function forgetVerdicts(trx: Trx, id: string) {
  await trx
    .updateTable('segments')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
  await trx
    .deleteFrom('segmentPeople')
    .where('segment', '=', id)
    .where('byHand', '=', false)
    .where('takenOut', '=', false)
    .execute()
}

export const deleteSegment = (trx: Trx, id: string) =>
  trx.deleteFrom('segments').where('id', '=', id).execute()

export type SegmentPersonRow = ListedPerson & {
  matches: boolean
  byHand: boolean
  reason: string
  version: number
}

/**
 * A page of the members by lower(name), id. `after` is [sortName, id] of the last row seen. The members have no order of names:
 * those of a small segment are all read, and those of a large one are met soon on the way through the names.
 */
export async function listSegmentPeople(
  db: Db,
  workspace: string,
  segment: string,
  after: readonly string[] | undefined,
  limit: number,
): Promise<SegmentPersonRow[]> {
  const members = sql`from segment_people where segment = ${segment} and (matches or by_hand)`
  const { rows } = await sql<{ small: boolean }>`
    select count(*) <= ${few} as small from (select ${members} order by person limit ${few + 1}) as first`.execute(
    db,
  )
  const isSmall = rows[0]?.small
  const listed = db
    .selectFrom('people')
    .selectAll('people')
    .select(sql<string>`lower(name)`.as('sortName'))
    .where('workspace', '=', workspace)
    .$if(isSmall === true, (query) =>
      query.where(
        sql<SqlBool>`people.id = any(array(select person ${members} order by person limit ${few}))`,
      ),
    )
    .$if(after !== undefined, (query) => query.where(isBehind(after ?? [])))
    .orderBy(sql`lower(name)`)
    .orderBy('id')
  const isMember = sql<SqlBool>`(select count(*) ${members} and person = people.id) > 0`
  const page = firstOf(db, listed, isSmall ? [] : [isMember], limit)
  const verdict = sql<
    Pick<SegmentPersonRow, 'matches' | 'byHand' | 'reason' | 'version'>
  >`(select matches, by_hand, reason, version from segment_people
    where segment = ${segment} and person = page.id limit 1)`
  return db
    .selectFrom(page.as('page'))
    .innerJoinLateral(verdict.as('verdict'), (join) => join.onTrue())
    .selectAll()
    .orderBy('sortName')
    .orderBy('page.id')
    .execute()
}

/**
 * Adds people by hand, whatever the rules say about them; answers how many were not members before. A person who has not been
 * judged yet still will be (version 0). With `spare`, those who were taken out stay out.
 */
export async function addPeopleByHand(
  trx: Trx,
  segment: string,
  people: string[],
  now: Date,
  spare: 'taken out' | 'nobody' = 'nobody',
): Promise<number> {
  const { rows } = await sql<{ added: number }>`
    with before as (
      select person from segment_people
      where segment = ${segment} and person = any(${people}::text[]) and (matches or by_hand)),
    done as (
      insert into segment_people (segment, person, by_hand, matches, version, at)
      select ${segment}, person, true, false, 0, ${now}::timestamptz from unnest(${people}::text[]) as person
      on conflict (segment, person) do update set by_hand = true, taken_out = false
        ${spare === 'nobody' ? sql`` : sql`where not segment_people.taken_out`}
      returning person)
    select count(*)::int as added from done where person not in (select person from before)`.execute(
    trx,
  )
  return rows[0]?.added ?? 0
}

/**
 * Takes a person out of a locked segment for good, whether they belong to it or not; answers whether they belonged to it, or
 * undefined if they were taken out before.
 */
export async function takeOut(
  trx: Trx,
  segment: string,
  person: string,
  now: Date,
): Promise<{ belonged: boolean } | undefined> {
  const { rows } = await sql<{ belonged: boolean }>`
    with before as (
      select matches or by_hand as belonged from segment_people where segment = ${segment} and person = ${person}),
    done as (
      insert into segment_people (segment, person, matches, version, at, taken_out)
      values (${segment}, ${person}, false, 0, ${now}::timestamptz, true)
      on conflict (segment, person) do update set matches = false, by_hand = false, taken_out = true
        where not segment_people.taken_out
      returning person)
    select coalesce((select belonged from before), false) as belonged from done`.execute(trx)
  return rows[0]
}

/**
 * Hands on, to a segment that replaces another, who was added to the other by hand and who was taken out of it. Whoever was taken
 * out of either stays out, also if they were added to the other: nobody is written to whom somebody did not want to write to.
 * Both are locked.
 */
export const takeOverHands = (trx: Trx, from: string, to: string, now: Date) =>
  sql`
    insert into segment_people (segment, person, by_hand, matches, version, at, taken_out)
    select ${to}, person, by_hand, false, 0, ${now}::timestamptz, taken_out
    from segment_people where segment = ${from} and (by_hand or taken_out)
    on conflict (segment, person) do update set
      taken_out = segment_people.taken_out or excluded.taken_out,
      by_hand = (segment_people.by_hand or excluded.by_hand) and not (segment_people.taken_out or excluded.taken_out),
      matches = segment_people.matches and not excluded.taken_out`.execute(trx)

export const saveSegment = (trx: Trx, segment: string, now: Date) =>
  trx
    .updateTable('segments')
    .set({ saved: true, updatedAt: now })
    .where('id', '=', segment)
    .where('saved', '=', false)
    .execute()

export const isSegmentEmpty = async (db: Db, segment: string): Promise<boolean> =>
  (await db
    .selectFrom('segmentPeople')
    .select('person')
    .where('segment', '=', segment)
    .where(sql<SqlBool>`(matches or by_hand)`)
    .limit(1)
    .executeTakeFirst()) === undefined

/** Whether the id is that of a segment of the workspace. */
export async function isSegment(db: Db, workspace: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('segments')
    .select('id')
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}
