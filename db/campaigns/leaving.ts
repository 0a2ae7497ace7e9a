import { sql } from 'kysely'
import { begunStates } from '../../rules/campaign.ts'
import type { Db, Trx } from '../database.ts'
import { lettersOf, type Told, touchesHappened } from './touches.ts'

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
    where c.id = ${campaign} and c.segment is not null and t.id = any(array(${lettersOf(campaign, people)}))
      and t.state in ('queued', 'review') and ${membership()} is not true
    returning t.id, t.workspace, t.campaign, t.person, t.place, t.connection, t.conversation, t.message`.execute(
    trx,
  )
  await touchesHappened(trx, rows, now, 'failed', 'left_segment')
  return rows.length
}

// Where anybody may have left, such as after other words of the segment, all letters of a campaign are gone through once, in the
// order of their people and in batches that cost the same however many there are. A call goes through the first of them, and the
// runner of the campaign or the judging of the segment through the others; the place is kept in the campaign's row.

// Each letter that ends is an event too, and may be posted to webhooks: a batch takes some tenths of a second, and a call that ends
// thousands at once a few seconds.
const batch = 250
const batchesOfCall = 20

/**
 * Ends the letters of a campaign to everyone who is no longer in its segment: as many as a call has time for. Answers how many batches
 * the call has time for afterwards.
 */
export async function beginLeaving(trx: Trx, campaign: string, now: Date, batches = batchesOfCall) {
  let leftTo: string | null = ''
  let left = batches
  for (; left > 0 && leftTo !== null; left--) leftTo = await endLeft(trx, campaign, leftTo, now)
  await keepLeft(trx, campaign, leftTo)
  return left
}

/** Goes on where `beginLeaving` has ended, for one batch; answers whether some are left. */
export async function goOnLeaving(
  trx: Trx,
  campaign: { id: string; leftTo: string | null },
  now: Date,
): Promise<boolean> {
  if (campaign.leftTo === null) return false
  const leftTo = await endLeft(trx, campaign.id, campaign.leftTo, now)
  await keepLeft(trx, campaign.id, leftTo)
  return leftTo !== null
}

const keepLeft = (trx: Trx, campaign: string, leftTo: string | null) =>
  trx.updateTable('campaigns').set({ leftTo }).where('id', '=', campaign).execute()

/** Goes through a batch of letters behind those of the person `after`; answers the last person, and null at the end. */
async function endLeft(trx: Trx, campaign: string, after: string, now: Date) {
  const { rows } = await sql<{ person: string }>`
    select person from touches where campaign = ${campaign} and person > ${after}
    order by person, place limit ${batch}`.execute(trx)
  // Of the last person, letters may lie beyond the batch; they end too, because letters end by their people.
  await endLetters(trx, campaign, [...new Set(rows.map(({ person }) => person))], now)
  return rows.length < batch ? null : (rows.at(-1)?.person ?? null)
}

/** Locks the campaigns of a segment that have letters to end. The segment is locked first, as everywhere. */
const lockWriting = (trx: Trx, segment: string) =>
  trx
    .selectFrom('campaigns')
    .select(['id', 'leftTo'])
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

/** Anybody may have left a locked segment, so the letters of its campaigns are gone through. */
export async function leaveAll(trx: Trx, segment: string, now: Date) {
  let left = batchesOfCall
  for (const { id } of await lockWriting(trx, segment))
    left = await beginLeaving(trx, id, now, left)
}

/** Goes on where `leaveAll` has ended, for a batch of one campaign of a locked segment; answers whether some are left. */
export async function goOnLeavingAll(trx: Trx, segment: string, now: Date) {
  const open = (await lockWriting(trx, segment)).filter(({ leftTo }) => leftTo !== null)
  const [first, ...others] = open
  return first !== undefined && ((await goOnLeaving(trx, first, now)) || others.length > 0)
}
