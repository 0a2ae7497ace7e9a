import { sql } from 'kysely'
import { displacedOf, type LetterOfCard } from '../../rules/people/merged-letters.ts'
import type { Trx } from '../database.ts'
import { endLetters } from './leaving.ts'
import { type Told, touchesHappened } from './touches.ts'

type Letter = LetterOfCard & { campaign: string }

/**
 * Moves the letters to cards to the one that they become part of, and answers the campaigns. All of the cards are locked, so no
 * letter to them is claimed meanwhile; one that is being handed over right now moves too, and is settled for the card. Of letters
 * for one place, `displacedOf` says which keeps it.
 */
export async function mergeLetters(
  trx: Trx,
  card: string,
  others: string[],
  now: Date,
): Promise<string[]> {
  const { rows } = await sql<Letter>`
    select id, campaign, person, place, state, reason from touches
    where person = any(${[card, ...others]}::text[]) order by id for update`.execute(trx)
  const displaced = [...Map.groupBy(rows, ({ campaign }) => campaign).values()].flatMap((some) =>
    new Set(some.map(({ person }) => person)).size > 1 ? displacedOf(some, card) : [],
  )
  // First the places, then the card: no two letters may have one place in between either.
  const { rows: changed } = await sql<Told & { ends: boolean }>`
    update touches set place = given.place,
      state = case when given.ends then 'failed' else state end,
      reason = case when given.ends then 'skipped' else reason end
    from unnest(${displaced.map(({ id }) => id)}::text[], ${displaced.map(({ place }) => place)}::int[],
      ${displaced.map(({ ends }) => ends)}::boolean[]) as given (id, place, ends)
    where touches.id = given.id
    returning touches.id, workspace, campaign, person, touches.place, connection, conversation, given.ends`.execute(
    trx,
  )
  await sql`update touches set person = ${card} where person = any(${others}::text[])`.execute(trx)
  const ended = changed.filter(({ ends }) => ends).map((letter) => ({ ...letter, person: card }))
  await touchesHappened(trx, ended, now, 'failed', 'skipped')
  return [...new Set(rows.map(({ campaign }) => campaign))]
}

/** Ends the letters of these campaigns to a card that belongs to their segments no longer, because it was taken out as one of its parts. */
export async function endMerged(trx: Trx, card: string, campaigns: string[], now: Date) {
  for (const campaign of campaigns) await endLetters(trx, campaign, [card], now)
}
