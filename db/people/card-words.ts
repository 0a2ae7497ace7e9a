import { sql } from 'kysely'
import { prefixOf } from '../../rules/search/searched.ts'
import { lexemesOf } from '../../rules/search/words.ts'
import type { Trx } from '../database.ts'

// The words of cards in the index of words (GET /search). Triggers write them; an import brings those of its cards, because with
// triggers alone it took ten times as long.

type Card = { id: string; name: string; company: string; addresses: string[] }

/** Has the triggers leave the words of cards alone until `bringCards` writes them; for a transaction that writes many cards. */
export const beginCards = (trx: Trx) =>
  sql`select set_config('postroom.brings_words', 'on', true)`.execute(trx)

/** Writes the words of new cards, and those of others as their rows are now. */
export async function bringCards(
  trx: Trx,
  {
    workspace,
    made,
    others,
    now,
  }: { workspace: string; made: Card[]; others: string[]; now: Date },
) {
  const prefix = prefixOf(workspace, 'person')
  const words = made.map(({ name, company, addresses }) =>
    lexemesOf(prefix, [name, company, ...addresses].filter(Boolean).join(' · '), true),
  )
  if (made.length > 0)
    await sql`
      insert into search_words (kind, ref, workspace, conversation, at, files, words)
      select 'person', ref, ${workspace}, null, ${now}, 0, words::tsvector
      from unnest(${made.map(({ id }) => id)}::text[], ${words}::text[]) as fresh (ref, words)`.execute(
      trx,
    )
  await sql`
    select set_config('postroom.brings_words', '', true), (select count(search_put_person(people)) from people
      where id = any(${others}::text[]))`.execute(trx)
}
