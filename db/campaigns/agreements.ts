import { sql } from 'kysely'
import type { Db, Trx } from '../database.ts'

// What is agreed is a text that was read: the example of a place, under the brief it was written from, and with it the letters
// that are written from that brief. Another brief is agreed anew.

/**
 * Agrees the written letters of these places and sends on what waited for it. What was written from an earlier brief is
 * written anew.
 */
export async function agreeLetters(trx: Db, campaign: string, places: number[]) {
  if (places.length === 0) return
  await sql`update touches set subject = null, text = null, written_at = null, brief = null
    from campaigns c
    where c.id = touches.campaign and c.id = ${campaign} and touches.place = any(${places}::int[])
      and touches.state in ('queued', 'review') and not touches.agreed
      and touches.brief <> c.brief_version`.execute(trx)
  await trx
    .updateTable('campaignLetters')
    .set({ agreed: true })
    .where('campaign', '=', campaign)
    .where('place', 'in', places)
    .execute()
  await trx
    .updateTable('touches')
    // One that a hold put off says so as soon as nothing else is in its way.
    .set({
      state: 'queued',
      reason: sql<string | null>`case when held_from is not null then 'held' end`,
    })
    .where('campaign', '=', campaign)
    .where('place', 'in', places)
    .where('state', '=', 'review')
    .execute()
}

/**
 * The brief of these locked campaigns has changed: letters of the earlier one are not agreed any more, nor by a call that is
 * on its way. A letter that is on its way with its text, or was queued with it, stays agreed as it is.
 */
export async function withdrawAgreements(trx: Trx, campaigns: string[]) {
  if (campaigns.length === 0) return
  await sql`update touches set agreed = true
    from campaign_letters l join campaigns c on c.id = l.campaign
    where l.campaign = any(${campaigns}::text[]) and l.agreed
      and touches.campaign = l.campaign and touches.place = l.place
      and touches.state in ('queued', 'sending') and touches.text is not null
      and coalesce(touches.brief, c.brief_version) = c.brief_version`.execute(trx)
  await trx
    .updateTable('campaigns')
    .set((eb) => ({ briefVersion: eb('briefVersion', '+', 1) }))
    .where('id', 'in', campaigns)
    .execute()
  await trx
    .updateTable('campaignLetters')
    .set({ agreed: false })
    .where('campaign', 'in', campaigns)
    .execute()
}

/**
 * Whether a letter may go as it is written: its place is agreed, or its very text was before the brief changed. `open` is one
 * that nobody has agreed, `old` one of an agreed place that was written from an earlier brief than was agreed.
 */
export async function agreementOn(db: Db, touch: string): Promise<'agreed' | 'open' | 'old'> {
  const { rows } = await sql<{ text: boolean; place: boolean; current: boolean }>`
    select t.agreed as text, coalesce(l.agreed, false) as place,
      coalesce(t.brief, c.brief_version) = c.brief_version as current
    from touches t join campaigns c on c.id = t.campaign
      left join campaign_letters l on l.campaign = t.campaign and l.place = t.place
    where t.id = ${touch}`.execute(db)
  const [found] = rows
  if (found?.text || (found?.place && found.current)) return 'agreed'
  return found?.place ? 'old' : 'open'
}

/** Has a queued letter written anew. */
export const forgetText = (db: Db, touch: string) =>
  db
    .updateTable('touches')
    .set({ subject: null, text: null, writtenAt: null, brief: null })
    .where('id', '=', touch)
    .where('state', '=', 'queued')
    .execute()
