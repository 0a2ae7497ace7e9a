import { sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
import { newId } from '../ids.ts'
import { enqueueWakes } from '../operations/wakes.ts'
import { lockHeld } from '../people/holds.ts'
import { lettersOf } from './touches.ts'

// The letters that a campaign is to send: a first one to everybody in its segment, and each later one after the one before it
// was sent.
//
// Whoever joins a segment gets the next number (`joined`), also after having left it, and a campaign notes the number up to which it
// has planned. So each person is gone through once, in batches that cost the same however many people there are, and nobody who
// joins later can be behind that place. A campaign that gets another segment begins anew: whoever has a letter already gets no
// second one.

/** How far a campaign has come; the number is a text, because it may be too large for one of JavaScript. */
export type Place = { segment: string; plannedSegment: string | null; plannedTo: string }

const placeOf = ({ segment, plannedSegment, plannedTo }: Place) =>
  plannedSegment === segment ? plannedTo : '0'

/** The members of a segment, to select from. */
export const members = (segment: string) => sql`segment_people
  where segment = ${segment} and (matches or by_hand)`

/** Whether somebody in the segment is still to be gone through. */
export async function isAnybodyUnplanned(db: Db, place: Place): Promise<boolean> {
  const { rows } = await sql<{ some: boolean }>`
    select exists (${unplanned(place)}) as some`.execute(db)
  return rows[0]?.some === true
}

/** A query of the people, as `person`, who are in the segment and still to be gone through; some may have a letter already. */
export const unplanned = (place: Place) => sql`
  select person from ${members(place.segment)} and joined > ${placeOf(place)}::bigint
  union all
  select person from ${members(place.segment)} and joined is null`

/** Locks a segment alone, before its campaigns: while that lasts, nobody joins it or leaves it. */
const lockMembers = (trx: Trx, segment: string) =>
  sql`select from segments where id = ${segment} for update`.execute(trx)

/**
 * Locks a campaign that runs under this epoch, and its segment, so that nobody joins or leaves it meanwhile, and no settlement ends
 * a letter by what it read before. Undefined if there is nothing to plan.
 */
export async function lockForPlanning(trx: Trx, id: string, epoch: number) {
  const seen = await trx
    .selectFrom('campaigns')
    .select('segment')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!seen?.segment) return undefined
  const { segment } = seen
  await lockMembers(trx, segment)
  const row = await trx
    .selectFrom('campaigns')
    .select(['id', 'workspace', 'plannedSegment', 'plannedTo', 'leftTo'])
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where('runEpoch', '=', epoch)
    // One that got another segment meanwhile is told so by a signal.
    .where('segment', '=', segment)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row && { ...row, segment }
}

/** Locks the segment of a campaign that is about to start, before the campaign. */
export async function lockMembersOf(trx: Trx, workspace: string, campaign: string) {
  await sql`select from segments where workspace = ${workspace} and id = (
    select segment from campaigns where workspace = ${workspace} and id = ${campaign}) for update`.execute(
    trx,
  )
}

/**
 * Plans the first letter for the next people of the segment, at most `limit`. For people who have come back to it, it plans again
 * the letters that ended. Answers how many people it has gone through; fewer than `limit` if nobody is left. Call it with the
 * segment and the campaign locked.
 */
export async function planFirstLetters(
  trx: Trx,
  campaign: { id: string; workspace: string } & Place,
  now: Date,
  limit: number,
): Promise<number> {
  const { people, last } = await listNext(trx, campaign, limit)
  if (people.length === 0) return 0
  const putOffHeld = await lockHeld(trx, people, now)
  await sql`update touches set state = 'queued', reason = null
    where id = any(array(${lettersOf(campaign.id, people)})) and state = 'failed' and reason = 'left_segment'
      and place > 0`.execute(trx)
  const ids = people.map(() => newId('tch'))
  await sql`
    insert into touches (id, workspace, campaign, person, place, state, due_at, created_at)
    select ids.id, ${campaign.workspace}, ${campaign.id}, ids.person, 1, 'queued', ${now}, ${now}
    from unnest(${ids}::text[], ${people}::text[]) as ids (id, person)
    on conflict (campaign, person, place) do nothing`.execute(trx)
  await putOffHeld()
  await trx
    .updateTable('campaigns')
    .set({ plannedSegment: campaign.segment, plannedTo: last })
    .where('id', '=', campaign.id)
    .execute()
  return people.length
}

/**
 * A card has got letters of these campaigns from another one, or has given it some. It is planned for as if its person joined now,
 * so that letters which ended for the other card go on, and those that are missing are planned; the runners are told. Call it with
 * the segments shared.
 */
export async function planAnew(trx: Trx, person: string, campaigns: string[]) {
  await sql`update segment_people set joined = nextval('segment_joins')
    where person = ${person} and (matches or by_hand) and segment in (
      select segment from campaigns where id = any(${campaigns}::text[]))`.execute(trx)
  const theirs = sql`select runner as workflow from campaigns
    where state = 'running' and runner is not null and segment in (
      select segment from segment_people where person = ${person} and (matches or by_hand))`
  await enqueueWakes(trx, theirs, 'people', { together: true })
}

type Next = { people: string[]; last: string }

/** The next people behind the place, and the number of the last one. */
async function listNext(trx: Trx, place: Place, limit: number): Promise<Next> {
  const found = await sql<{ person: string; joined: string }>`
    select person, joined from ${members(place.segment)} and joined > ${placeOf(place)}::bigint
    order by joined limit ${limit}`.execute(trx)
  const numbered = found.rows
  if (numbered.length < limit)
    numbered.push(...(await number(trx, place.segment, limit - numbered.length)))
  return { people: numbered.map(({ person }) => person), last: numbered.at(-1)?.joined ?? '0' }
}

/** Gives numbers to members that have none, because they were there before there were numbers (migration 0132). */
async function number(trx: Trx, segment: string, limit: number) {
  const { rows } = await sql<{ person: string; joined: string }>`
    with next as materialized (
      select person from ${members(segment)} and joined is null order by person limit ${limit}),
    numbered as (
      update segment_people one set joined = nextval('segment_joins') from next
      where one.segment = ${segment} and one.person = next.person
      returning one.person, joined)
    select person, joined from numbered order by joined`.execute(trx)
  return rows
}
