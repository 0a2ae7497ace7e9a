import { sql } from 'kysely'
import { type Address, comparedForm, keyOf } from '../../rules/addresses.ts'
import { dividedOf } from '../../rules/people/split-letters.ts'
import type { Trx } from '../database.ts'
import { planAnew } from './planning.ts'

/**
 * Moves letters from a locked card to one that was split off it, with the addresses that have moved; and the place of their person in
 * the segments of their campaigns.
 */
export async function splitLetters(trx: Trx, from: string, to: string, moved: Address[]) {
  const letters = await trx
    .selectFrom('touches')
    .select(['id', 'campaign', 'place', 'state', 'toAddress'])
    .where('person', '=', from)
    .execute()
  const goes = new Set(moved.map(keyOf))
  const isMoved = (address: string) =>
    goes.has(keyOf({ kind: 'email', value: comparedForm(address) }))
  const divided = [...Map.groupBy(letters, ({ campaign }) => campaign)].flatMap(
    ([campaign, some]) => dividedOf(some, isMoved).map((letter) => ({ campaign, ...letter })),
  )
  const moving = divided.filter(({ moves }) => moves)
  const campaigns = [...new Set(moving.map(({ campaign }) => campaign))]
  if (campaigns.length === 0) return
  // First the card, then the places: no two letters to one card may have one place in between either.
  await sql`update touches set person = ${to} where id = any(${moving.map(({ id }) => id)}::text[])`.execute(
    trx,
  )
  await sql`update touches set place = given.place
    from unnest(${divided.map(({ id }) => id)}::text[], ${divided.map(({ place }) => place)}::int[]) as given (id, place)
    where touches.id = given.id and touches.place <> given.place`.execute(trx)
  await sql`
    insert into segment_people (segment, person, by_hand, matches, reason, version, at, taken_out)
    select sp.segment, ${to}, sp.by_hand, sp.matches, sp.reason, sp.version, sp.at, sp.taken_out
    from segment_people sp
    where sp.person = ${from} and sp.segment in (
      select segment from campaigns where id = any(${campaigns}::text[]))
    on conflict do nothing`.execute(trx)
  // Whoever keeps the card may have no letters of these campaigns any more.
  await planAnew(trx, from, campaigns)
}
