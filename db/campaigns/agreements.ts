import { type RawBuilder, sql } from 'kysely'
import type { Obstacles } from '../../rules/claim.ts'
import type { Db, Trx } from '../database.ts'
import { unwritten } from './touches.ts'

// An agreement is to a text that somebody has read: the example letter of a place, under the brief that it was written from. It
// covers the letters written from that brief. A later brief needs a new agreement.

/**
 * Agrees to the written letters of these places and lets those go that waited for it. Letters of an earlier brief are written
 * again.
 */
export async function agreeLetters(trx: Db, campaign: string, places: number[]) {
  if (places.length === 0) return
  await sql`update touches set subject = null, text = null, html = null, written_at = null, brief = null
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
    // If a hold put the letter off, the hold is its reason again as soon as nothing else stops it.
    .set({
      state: 'queued',
      missing: null,
      reason: sql<string | null>`case when held_from is not null then 'held' end`,
    })
    .where('campaign', '=', campaign)
    .where('place', 'in', places)
    .where('state', '=', 'review')
    .execute()
}

/**
 * The brief of these locked campaigns has changed. Letters of the earlier brief lose their agreement, and so does a call to
 * agree that is in progress. A letter that was queued, or is being sent, with an agreed text stays agreed as it is.
 */
export async function withdrawAgreements(trx: Trx, campaigns: string[]) {
  if (campaigns.length === 0) return
  await sql`update touches set agreed = true
    from campaign_letters l join campaigns c on c.id = l.campaign
    where l.campaign = any(${campaigns}::text[]) and l.agreed
      and touches.campaign = l.campaign and touches.place = l.place
      and touches.state in ('queued', 'sending') and touches.text is not null
      and coalesce(touches.brief, c.brief_version) = c.brief_version`.execute(trx)
  await withdrawUnwritten(trx, sql`campaign = any(${campaigns}::text[])`)
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
 * The templates of these places of a locked campaign were replaced: as `withdrawAgreements`, but for these places alone. What
 * others were written from is still the same. Answers the version of the brief from now on.
 */
export async function withdrawPlaces(
  trx: Trx,
  { id, briefVersion }: { id: string; briefVersion: number },
  places: number[],
): Promise<number> {
  const version = briefVersion + 1
  await sql`update touches set agreed = true
    from campaign_letters l
    where l.campaign = ${id} and l.agreed and l.place = any(${places}::int[])
      and touches.campaign = ${id} and touches.place = l.place
      and touches.state in ('queued', 'sending') and touches.text is not null
      and coalesce(touches.brief, ${briefVersion}) = ${briefVersion}`.execute(trx)
  await withdrawUnwritten(trx, sql`campaign = ${id} and place = any(${places}::int[])`)
  // Words that somebody gave a letter follow no brief: they have no version.
  await sql`update touches set brief = ${version}
    where campaign = ${id} and place <> all(${places}::int[])
      and state in ('queued', 'sending', 'review') and brief = ${briefVersion}`.execute(trx)
  await sql`update campaign_letters set brief = ${version}
    where campaign = ${id} and brief = ${briefVersion} and place <> all(${places}::int[])`.execute(
    trx,
  )
  await trx
    .updateTable('campaignLetters')
    .set({ agreed: false })
    .where('campaign', '=', id)
    .where('place', 'in', places)
    .execute()
  await trx.updateTable('campaigns').set({ briefVersion: version }).where('id', '=', id).execute()
  return version
}

/** A letter that was let go by itself, and has no text yet, would be written from what nobody has agreed to. */
const withdrawUnwritten = (trx: Trx, where: RawBuilder<unknown>) =>
  sql`update touches set agreed = false
    where ${where} and state = 'queued' and agreed and text is null`.execute(trx)

/**
 * Whether a letter may go as it is written. `own`: its own text was agreed before the brief changed. `place`: its place is agreed.
 * `current`: it follows the brief.
 */
export function agreementIn(found: {
  own: boolean
  place: boolean
  current: boolean
}): Obstacles['agreement'] {
  if (found.own || (found.place && found.current)) return 'agreed'
  return found.place ? 'old' : 'open'
}

/** Has a queued letter written again. */
export const forgetText = (db: Db, touch: string) =>
  db
    .updateTable('touches')
    .set(unwritten)
    .where('id', '=', touch)
    .where('state', '=', 'queued')
    .execute()
