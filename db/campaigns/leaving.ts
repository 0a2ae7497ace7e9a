import { sql } from 'kysely'
import { begunStates } from '../../rules/campaign.ts'
import type { Db, Trx } from '../database.ts'
import { planBatch, type Told, touchesHappened } from './touches.ts'

// A person who leaves the segment of a campaign gets no more of its letters. Those that are not being sent end as
// `left_segment`; a person who comes back continues with the letter that ended (planFirstLetters). Call these functions with
// the campaign locked, or with its moves locked out: a claim reads the segment under the same lock, so no letter slips past
// them.

/**
 * For a query of letters and their campaigns, by their names in it: whether the person is in the campaign's segment; null if the
 * segment has no verdict on them.
 */
export const membership = (touches = 't', campaigns = 'c') => sql<
  boolean | null
>`(select sp.matches or sp.by_hand from segment_people sp
  where sp.segment = ${sql.ref(`${campaigns}.segment`)} and sp.person = ${sql.ref(`${touches}.person`)})`

/** Which of these people are in the segment now. */
export async function listMembers(db: Db, segment: string, people: string[]): Promise<string[]> {
  const { rows } = await sql<{ person: string }>`
    select person from segment_people
    where segment = ${segment} and person = any(${people}::text[]) and (matches or by_hand)`.execute(
    db,
  )
  return rows.map(({ person }) => person)
}

/** Ends a campaign's letters to those of these people who are not in its segment; answers how many letters ended. */
export async function endLetters(
  trx: Db,
  campaign: string,
  people: string[],
  now: Date,
): Promise<number> {
  if (people.length === 0) return 0
  const { rows } = await sql<Told>`
    update touches t
    set state = 'failed', reason = 'left_segment', due_at = coalesce(t.held_from, t.due_at), held_from = null
    from campaigns c
    where t.campaign = ${campaign} and c.id = ${campaign} and c.segment is not null
      and t.person = any(${people}::text[]) and t.state in ('queued', 'review') and ${membership()} is not true
    returning t.id, t.workspace, t.campaign, t.person, t.place, t.connection, t.conversation, t.message`.execute(
    trx,
  )
  await touchesHappened(trx, rows, now, 'failed', 'left_segment')
  return rows.length
}

/**
 * Ends the letters to everyone who is no longer in the segment, one batch for each call; answers how many letters ended. This
 * is a difference of sets, as in listUnplanned.
 */
export async function endLeft(
  trx: Db,
  campaign: { id: string; segment: string | null },
  now: Date,
): Promise<number> {
  if (campaign.segment === null) return 0
  const { rows } = await sql<{ person: string }>`
    select person from touches where campaign = ${campaign.id} and state in ('queued', 'review')
    except
    select person from segment_people where segment = ${campaign.segment} and (matches or by_hand)
    order by person limit ${planBatch}`.execute(trx)
  const people = rows.map(({ person }) => person)
  return endLetters(trx, campaign.id, people, now)
}

/** Locks the campaigns of a segment that have letters to end. The segment is locked first, as everywhere. */
const lockWriting = (trx: Trx, segment: string) =>
  trx
    .selectFrom('campaigns')
    .select(['id', 'segment'])
    .where('segment', '=', segment)
    .where('state', 'in', begunStates)
    .orderBy('id')
    .forUpdate()
    .execute()

/** These people have left a locked segment, so their letters of its campaigns end. Answers how many. */
export async function leave(trx: Trx, segment: string, people: string[], now: Date) {
  let ended = 0
  if (people.length === 0) return ended
  for (const { id } of await lockWriting(trx, segment))
    ended += await endLetters(trx, id, people, now)
  return ended
}

/** Anybody may have left a locked segment, so a batch of the letters of each of its campaigns ends. Answers how many. */
export async function leaveAll(trx: Trx, segment: string, now: Date) {
  let ended = 0
  for (const campaign of await lockWriting(trx, segment)) ended += await endLeft(trx, campaign, now)
  return ended
}
