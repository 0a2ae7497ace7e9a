import { type SqlBool, sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
import { newId } from '../ids.ts'
import { lockHeld } from '../people/holds.ts'

// The letters that a campaign is to send: a first one to everybody in its segment, and each later one after the one before it
// was sent.

/**
 * People of the segment who have no letter of the campaign, or whose letters ended when they left it, at most `limit`, by id.
 * A difference of sets is linear whatever the planner knows; an anti-join was seen to take minutes on touches that had just
 * been planned.
 */
export async function listUnplanned(
  db: Db,
  campaign: { id: string; segment: string },
  limit: number,
): Promise<string[]> {
  const members = sql`select person from segment_people
    where segment = ${campaign.segment} and (matches or by_hand)`
  const left = sql`state = 'failed' and coalesce(reason, '') = 'left_segment'`
  const { rows } = await sql<{ person: string }>`
    (${members}
    except
    select person from touches where campaign = ${campaign.id} and place = 1 and not (${left}))
    union
    (${members}
    intersect
    select person from touches where campaign = ${campaign.id} and place > 1 and ${left})
    order by person limit ${limit}`.execute(db)
  return rows.map(({ person }) => person)
}

/**
 * Plans the first letter for up to `limit` people of the segment who have none. For people who have come back to the segment,
 * it plans again the letters that ended. Answers how many people.
 */
export async function planFirstLetters(
  trx: Trx,
  campaign: { id: string; workspace: string; segment: string },
  now: Date,
  limit: number,
): Promise<number> {
  const people = await listUnplanned(trx, campaign, limit)
  if (people.length === 0) return 0
  const putOffHeld = await lockHeld(trx, people, now)
  await trx
    .updateTable('touches')
    .set({ state: 'queued', reason: null })
    .where('campaign', '=', campaign.id)
    .where(sql<SqlBool>`person = any(${people}::text[])`)
    .where('state', '=', 'failed')
    .where('reason', '=', 'left_segment')
    .execute()
  const ids = people.map(() => newId('tch'))
  await sql`
    insert into touches (id, workspace, campaign, person, place, state, due_at, created_at)
    select ids.id, ${campaign.workspace}, ${campaign.id}, ids.person, 1, 'queued', ${now}, ${now}
    from unnest(${ids}::text[], ${people}::text[]) as ids (id, person)
    on conflict (campaign, person, place) do nothing`.execute(trx)
  await putOffHeld()
  return people.length
}
