import { sql } from 'kysely'
import { prefixOf } from '../../rules/search/searched.ts'
import { cardLexemesOf } from '../../rules/search/words.ts'
import type { Trx } from '../database.ts'

// The words of cards in the index of words (GET /search, and `q` of GET /people). Triggers write them, card by card and in Postgres, which takes ten times as
// long as to write those of many cards at once, made here. So whoever writes many cards brings their words.

/** Has the triggers leave the words of cards alone until `bringCards` writes them. */
export const beginCards = (trx: Trx) =>
  sql`select set_config('postroom.brings_words', 'on', true)`.execute(trx)

type Card = { id: string; text: string; also: string }

/** Writes the words of these cards as their rows are now. From then on, the triggers write them again. */
export async function bringCards(trx: Trx, workspace: string, ids: Iterable<string>) {
  const { rows } = await sql<Card>`
    select id, search_person_text(people) as text, search_person_also(people) as also from people
    where workspace = ${workspace} and id = any(${[...new Set(ids)]}::text[])`.execute(trx)
  const prefix = prefixOf(workspace, 'person')
  const words = rows.map(({ text, also }) => cardLexemesOf(prefix, text, also))
  await sql`
    with written as (
      insert into search_words (kind, ref, workspace, conversation, at, files, words)
      select 'person', p.id, p.workspace, null, p.created_at, 0, fresh.words::tsvector
      from unnest(${rows.map(({ id }) => id)}::text[], ${words}::text[]) as fresh (id, words)
      join people p on p.id = fresh.id and p.workspace = ${workspace}
      on conflict (kind, ref) do update set words = excluded.words)
    select set_config('postroom.brings_words', '', true)`.execute(trx)
}
